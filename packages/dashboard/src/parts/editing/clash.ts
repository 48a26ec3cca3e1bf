/** A part of a form, as far as somebody is asked whose shall count. */
export interface Part<Form> {
  name: string;
  label: string;
  /** What stands in it, for people. */
  said: (form: Form) => string;
  /** What stands in it, for comparison, where words could be alike. */
  is?: (form: Form) => string;
  /** My form with what theirs has in this part. */
  taken: (mine: Form, theirs: Form) => Form;
}

/** The parts that forms have: which they are may stand in the forms, as the keys of metadata do. */
export type Parts<Form> = (forms: readonly Form[]) => readonly Part<Form>[];

/** A part that somebody else has changed meanwhile, to something that I did not. */
export interface Clash<Form> {
  part: Part<Form>;
  before: string;
  theirs: string;
  mine: string;
  /** I had changed it too. Where I had not, theirs costs me nothing. */
  is_mine: boolean;
}

/**
 * What others have changed since a form was opened and I would not see.
 *
 * @param opened what stood in the form at first
 * @param theirs what would stand in it if it were opened now
 */
export function clashesOf<Form>(parts: Parts<Form>, opened: Form, theirs: Form, mine: Form): Clash<Form>[] {
  return parts([opened, theirs, mine]).flatMap((part) => {
    const is = part.is ?? part.said;
    if (is(theirs) === is(opened) || is(theirs) === is(mine)) return [];
    const said = { before: part.said(opened), theirs: part.said(theirs), mine: part.said(mine) };
    return [{ part, ...said, is_mine: is(mine) !== is(opened) }];
  });
}

/** My form, with theirs in the parts that are named. */
export const settled = <Form>(clashes: readonly Clash<Form>[], taken: ReadonlySet<string>, mine: Form, theirs: Form) =>
  clashes.reduce((form, { part }) => (taken.has(part.name) ? part.taken(form, theirs) : form), mine);

/** A part that is one field of a form. */
export const fieldPart = <Form extends object, Name extends keyof Form & string>(
  name: Name,
  label: string,
  said: (value: Form[Name]) => string = String,
): Part<Form> => ({
  name,
  label,
  said: (form) => said(form[name]),
  is: (form) => JSON.stringify(form[name]),
  taken: (mine, theirs) => ({ ...mine, [name]: theirs[name] }),
});

type Keyed = Readonly<Record<string, unknown>>;

/**
 * A part for each key of what is merged by key. One that I left out stays as others have it, whatever I choose: nobody is asked.
 *
 * @param of what a form says of them; null: nothing that can be read
 */
export function keyParts<Form>(
  label: string,
  of: (form: Form) => Keyed | null,
  put: (form: Form, keys: Keyed) => Form,
): Parts<Form> {
  const is = (key: string) => (form: Form) => JSON.stringify(of(form)?.[key]) ?? "";
  return (forms) =>
    Object.keys(of(forms.at(-1) as Form) ?? {}).map((key) => ({
      name: `${label}.${key}`,
      label: `${label}: ${key}`,
      said: is(key),
      taken: (mine, theirs) => put(mine, { ...of(mine), [key]: of(theirs)?.[key] }),
    }));
}

/**
 * A part for each of many that are chosen or not.
 *
 * @param all in the order in which they are shown
 */
export const chosenParts = <Form extends object, Name extends keyof Form & string, One extends string>(
  name: Name,
  all: readonly One[],
  of: (form: Form) => ReadonlySet<One>,
  words: { chosen: string; not: string },
): Part<Form>[] =>
  all.map((one) => ({
    name: `${name}.${one}`,
    label: one,
    said: (form) => (of(form).has(one) ? words.chosen : words.not),
    taken: (mine, theirs) => ({
      ...mine,
      [name]: new Set(all.filter((other) => of(other === one ? theirs : mine).has(other))),
    }),
  }));
