import { type Bounds, bounds, TooLarge } from "../bounds.js";
import { type Instant, isoOf } from "../clock.js";
import { isWireType, wireArray, wireInstants } from "./connections/wire-arrays.js";
import { flatSql, joined, jsonOf, type Sql } from "./sql.js";

/** A column's type in PostgreSQL, and the form in which a value is sent; null is sent as null. */
export interface Column<Value> {
  readonly type: string;
  /** Of what type the values of many rows are an array. */
  readonly sent_as: string;
  readonly sent: (value: Value) => unknown;
}

const plain = <Value>(type: string): Column<Value> => ({ type, sent_as: type, sent: (value) => value });
const document = (type: string): Column<unknown> => ({ type, sent_as: type, sent: jsonOf });

export const text = plain<string>("text");
export const int8 = plain<number | bigint>("bigint");
export const bool = plain<boolean>("boolean");
/** A calendar day, `YYYY-MM-DD`. */
export const date = plain<string>("date");
/** An instant, or one that is ISO 8601 already. */
export const timestamptz: Column<Instant | string> = {
  ...plain("timestamptz"),
  sent: (at) => (typeof at === "string" ? at : isoOf(at)),
};
/** A document that a statement looks into. */
export const jsonb = document("jsonb");
/** A document that is only kept: as it was written, and at less than half the cost. */
export const json = document("json");

/** A document that may only be so large, however it came to be: what was merged counts whole. */
const bounded = (column: Column<unknown>, field: string, bound: keyof Bounds): Column<unknown> => ({
  ...column,
  sent(value) {
    const sent = jsonOf(value);
    const bytes_max = bounds()[bound];
    // A text takes three bytes a unit at most, so that most are not counted.
    if (sent !== null && 3 * sent.length > bytes_max && Buffer.byteLength(sent) > bytes_max)
      throw new TooLarge(field, bytes_max);
    return sent;
  },
});

/** Keys and values of a caller's own making. */
export const metadata = bounded(jsonb, "metadata", "metadata_bytes_max");
/** The lines of an order. */
export const order_lines = bounded(json, "items", "order_bytes_max");
/** Small numbers without a null; an array of arrays would have to be rectangular, so each travels as a text. */
export const int4s: Column<readonly number[]> = {
  type: "int[]",
  sent_as: "text",
  sent: (numbers) => `{${numbers.join()}}`,
};

/** Every column of a row, once; one of another type than the field's, a missing one and one too many do not compile. */
export type Columns<Row> = { readonly [Name in keyof Row]-?: Column<NonNullable<Row[Name]>> };

/** A table's columns beside `project_id`, as rows of ours have them: the one list that statements are made from. */
export interface Table<Row> {
  readonly name: string;
  readonly columns: Columns<Row>;
  /** Every column, qualified, for a `select`. */
  readonly fields: Sql;
  /** The same without the table, for an `insert` of what a `select` finds. */
  readonly names: Sql;
  /** What rows that are written together mostly have in common. Where they do, it is sent once. */
  readonly mostly_alike: readonly (keyof Row & string)[];
}

export const table = <Row>(
  name: string,
  columns: Columns<Row>,
  mostly_alike: Table<Row>["mostly_alike"] = [],
): Table<Row> => ({
  name,
  columns,
  mostly_alike,
  fields: fieldsBut({ name, columns }, []),
  names: flatSql([Object.keys(columns).join(", ")], []),
});

/** The columns of a `select` without some that it takes from elsewhere. */
export function fieldsBut<Row>({ name, columns }: Pick<Table<Row>, "name" | "columns">, names: (keyof Row)[]): Sql {
  const taken = Object.keys(columns).filter((column) => !names.includes(column as keyof Row));
  return flatSql([taken.map((column) => `${name}.${column}`).join(", ")], []);
}

/** A column beside its name. */
type Field<Row> = Column<NonNullable<unknown>> & { readonly name: keyof Row & string };

/** How rows are sent: of some columns what they have in common, once, of the others an array each; and the text that takes it so. */
interface Form<Row> {
  readonly once: readonly Field<Row>[];
  readonly each: readonly Field<Row>[];
  readonly strings: readonly string[];
}

/**
 * Inserts rows; the caller may go on with `on conflict` or `returning`. What is the same in all of them is sent once, as
 * `same`.
 */
export function insertInto<Row, Same extends keyof Row = never>(
  into: Table<Row>,
  project_id: string,
  rows: readonly Omit<Row, Same>[],
  same?: Pick<Row, Same>,
): Sql {
  const alike = likenessOf(into, rows as readonly Row[]);
  const use = same ? `insert ${alike} ${Object.keys(same)}` : `insert ${alike}`;
  const form = formOf(into, use, () => {
    const once = namesAlike(into, alike);
    return insertForm(into, (name) => once.includes(name) || (same !== undefined && name in same));
  });
  const [first] = rows as readonly Row[];
  return filled(form, project_id, rows as readonly Row[], same ? ({ ...first, ...same } as Row) : first);
}

/**
 * What is sent once: of one row `all` of it, since lists of one take longer to make and to read; else what the table's rows `mostly` have in
 * common, where these rows have all of it in common. So there are three texts, and not many.
 */
type Likeness = "all" | "mostly" | "none";

function likenessOf<Row>(into: Table<Row>, rows: readonly Row[]): Likeness {
  if (rows.length === 1) return "all";
  return rows.length > 0 && into.mostly_alike.every((name) => areAlike(into, name, rows)) ? "mostly" : "none";
}

function namesAlike<Row>(into: Table<Row>, alike: Likeness): readonly (keyof Row & string)[] {
  if (alike === "all") return namesOf(into);
  return alike === "mostly" ? into.mostly_alike : [];
}

/** Rows that come of one request have one object in common, which is made a text once. */
function areAlike<Row>({ columns }: Table<Row>, name: keyof Row & string, rows: readonly Row[]): boolean {
  const [first, ...others] = new Set(rows.map((row) => row[name] ?? null));
  if (others.length === 0) return true;
  const asSent = (value: unknown) => columns[name].sent(value as NonNullable<Row[typeof name]>);
  return first instanceof Object && others.every((value) => value instanceof Object && asSent(value) === asSent(first));
}

/**
 * The same for very many rows that are mostly alike: what is the same in all of them is sent once, by what they say. So the text is
 * another with other rows, and is not kept.
 */
export function insertAlike<Row, Same extends keyof Row = never>(
  into: Table<Row>,
  project_id: string,
  rows: readonly Omit<Row, Same>[],
  same: Pick<Row, Same> = {} as Pick<Row, Same>,
): Sql {
  const [first, ...others] = rows as readonly Row[];
  // All of one row is alike, and that has a text which is kept.
  if (!first || others.length === 0) return insertInto(into, project_id, rows, same);
  const isSame = (name: keyof Row) => others.every((row) => (row[name] ?? null) === (first[name] ?? null));
  const form = insertForm(into, (name) => name in same || isSame(name));
  return filled(form, project_id, rows as readonly Row[], { ...first, ...same });
}

/** Writes whole rows, new or known by their id; of a known one the `kept` columns stay as they are. */
export function upsertInto<Row extends { id: string }>(
  into: Table<Row>,
  project_id: string,
  rows: readonly Row[],
  kept: readonly (keyof Row & string)[],
): Sql {
  const alike = likenessOf(into, rows);
  const form = formOf(into, `upsert ${alike} ${kept}`, () => {
    const once = namesAlike(into, alike);
    const insert = insertForm(into, (name) => once.includes(name));
    const changed = namesOf(into).filter((name) => name !== "id" && !kept.includes(name));
    const changes = changed.map((name) => `${name} = excluded.${name}`).join(", ");
    const { strings } = insert;
    const ending = `${strings.at(-1)} on conflict (project_id, id) do update set ${changes}`;
    return { ...insert, strings: [...strings.slice(0, -1), ending] };
  });
  return filled(form, project_id, rows, rows[0]);
}

/** What an `insert` of rows does where one with these keys is there: it adds amounts to its own. To be made once. */
export function addedTo<Row>(
  { name: into }: Table<Row>,
  keys: readonly (keyof Row & string)[],
  amounts: readonly (keyof Row & string)[],
): Sql {
  const sums = amounts.map((amount) => `${amount} = ${into}.${amount} + excluded.${amount}`);
  return flatSql([` on conflict (project_id, ${keys.join(", ")}) do update set ${sums.join(", ")}`], []);
}

/** What an `update` sets: the named columns to what the row has there. */
export function sets<Row, Name extends keyof Row & string>(
  of: Table<Row>,
  row: Pick<Row, Name>,
  names: readonly Name[],
): Sql {
  const one = (name: Name) => {
    const { strings, once } = formOf(of, `set ${name}`, () => ({
      strings: [`${name} = `, `::${of.columns[name].type}`],
      once: [fieldOf(of, name)],
      each: [],
    }));
    return flatSql(
      strings,
      once.map((field) => sent(field, row as Row)),
    );
  };
  return joined(names.map(one), ",");
}

const namesOf = <Row>({ columns }: Table<Row>) => Object.keys(columns) as (keyof Row & string)[];
const fieldOf = <Row>({ columns }: Table<Row>, name: keyof Row & string) =>
  ({ name, ...columns[name] }) as unknown as Field<Row>;

/** @param first has what is sent once; of no rows nothing is, but what was given as the same */
function filled<Row>(form: Form<Row>, project_id: string, rows: readonly Row[], first: Row | undefined): Sql {
  const parameters: unknown[] = [project_id];
  for (const field of form.once) parameters.push(sent(field, first as Row));
  for (const field of form.each) parameters.push(arrayOf(field, rows));
  return flatSql(form.strings, parameters);
}

function sent<Row>({ name, sent: asSent }: Field<Row>, row: Row): unknown {
  const value = row[name];
  return value === null || value === undefined ? null : asSent(value);
}

function arrayOf<Row>(field: Field<Row>, rows: readonly Row[]): unknown {
  const { name, sent_as } = field;
  const instants = sent_as === "timestamptz" ? wireInstants(rows.map((row) => row[name] ?? null)) : undefined;
  if (instants) return instants;
  const values = rows.map((row) => sent(field, row));
  return isWireType(sent_as) ? wireArray(sent_as, values as (string | null)[]) : values;
}

/** The pieces of text between the parameters: the project, what is the same, then an array a column; where all is the same, one row. */
function insertForm<Row>(into: Table<Row>, isOnce: (name: keyof Row & string) => boolean): Form<Row> {
  const once = namesOf(into)
    .filter(isOnce)
    .map((name) => fieldOf(into, name));
  const each = namesOf(into)
    .filter((name) => !isOnce(name))
    .map((name) => fieldOf(into, name));
  const listed = ["project_id", ...[...once, ...each].map(({ name }) => name)].join(", ");
  const pieces = [`insert into ${into.name} (${listed}) select `, "::text, ", ...once.map(({ type }) => `::${type}, `)];
  const last = pieces.pop() as string;
  if (each.length === 0) return { once, each, strings: [...pieces, last.replace(", ", "")] };
  const selected = each.map(({ name, type, sent_as }) => (sent_as === type ? `made.${name}` : `made.${name}::${type}`));
  const names = each.map(({ name }) => name).join(", ");
  const arrays = each.map(({ sent_as }, i) => `::${sent_as}[]${i < each.length - 1 ? ", " : `) as made (${names})`}`);
  return { once, each, strings: [...pieces, `${last}${selected.join(", ")} from unnest(`, ...arrays] };
}

const forms = new WeakMap<object, Map<string, unknown>>();

/** Each is made once: `sql` knows a static text by its pieces, and prepares it under one name. */
function formOf<Row>(of: Table<Row>, use: string, make: () => Form<Row>): Form<Row> {
  let of_table = forms.get(of);
  if (!of_table) {
    of_table = new Map();
    forms.set(of, of_table);
  }
  let form = of_table.get(use) as Form<Row> | undefined;
  if (!form) {
    form = make();
    of_table.set(use, form);
  }
  return form;
}
