import { createHash } from "node:crypto";
import { wireArray } from "./connections/wire-arrays.js";

/** A statement with its values apart: nothing a caller sends ever becomes part of the text. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Statements with a name are prepared once per connection. */
  readonly name: string | undefined;
  readonly [fragment]: { readonly strings: readonly string[]; readonly parameters: readonly unknown[] };
}

const fragment = Symbol("sql");
const static_texts = new WeakMap<TemplateStringsArray, { text: string; name: string }>();
const names = new Map<string, string>();
/** Past this many, new ones are not prepared. */
const names_max = 1000;

/** Writes SQL as SQL: `${value}` becomes a parameter, `${sql`…`}` is spliced in. */
export function sql(strings: TemplateStringsArray, ...parameters: unknown[]): Sql {
  const parts = { strings, parameters };
  if (!parameters.some(isSql)) {
    let known = static_texts.get(strings);
    if (!known) {
      const text = strings.reduce((text, piece, i) => `${text}$${i}${piece}`);
      known = { text, name: nameOf(text) };
      static_texts.set(strings, known);
    }
    return { ...known, values: parameters, [fragment]: parts };
  }
  // Made when asked for: of whole statements alone, which are few, and not of each of the fragments in them.
  let made: Pick<Sql, "text" | "values"> | undefined;
  const whole = () => {
    made ??= splicedWhole(parts);
    return made;
  };
  return {
    get text() {
      return whole().text;
    },
    get values() {
      return whole().values;
    },
    get name() {
      return knownName(whole().text);
    },
    [fragment]: parts,
  };
}

/** The statement without a name: PostgreSQL plans it for its values each time, as what a filter finds depends on them. */
export const plannedEachTime = (statement: Sql): Sql => ({
  text: statement.text,
  values: statement.values,
  name: undefined,
  [fragment]: statement[fragment],
});

const nameOf = (text: string) => `s${createHash("sha1").update(text).digest("hex").slice(0, 16)}`;

function knownName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= names_max) return known;
  const name = nameOf(text);
  names.set(text, name);
  return name;
}

/**
 * A name, or a date in quotes, in statements about tables: PostgreSQL takes no parameters there. From our own lists and the
 * calendar alone, never what a caller sends.
 */
export function verbatim(text: string): Sql {
  if (!/^([a-z0-9_]+|'[0-9TZ:.-]+')$/.test(text)) throw new Error(`neither a name nor a date: ${text}`);
  return { text, values: [], name: undefined, [fragment]: { strings: [text], parameters: [] } };
}

const between = { and: sql` and `, or: sql` or `, ",": sql`, `, union: sql` union `, "union all": sql` union all ` };

/** Joins fragments: `and` between conditions, `,` between columns. Empty list gives `empty`. */
export function joined(fragments: readonly Sql[], separator: keyof typeof between, empty: Sql = sql``): Sql {
  const [first, ...others] = fragments;
  if (!first) return empty;
  return others.reduce((text, next) => sql`${text}${between[separator]}${next}`, first);
}

/** One field of many rows, as an array parameter for `unnest`. */
export function column<Row, Field extends keyof Row>(rows: readonly Row[], field: Field): Row[Field][] {
  return rows.map((row) => row[field]);
}

/** The same for texts that may be long, or full of quotes. */
export function textColumn<Row, Field extends keyof Row>(
  rows: readonly (Row & Record<Field, string | null>)[],
  field: Field,
): Buffer {
  return wireArray(
    "text",
    rows.map((row): string | null => row[field]),
  );
}

/** One field of many rows as an array of documents, for a parameter of that type. */
export function jsonColumn<Row>(rows: readonly Row[], field: keyof Row, type: "json" | "jsonb"): Buffer {
  return wireArray(
    type,
    rows.map((row) => jsonOf(row[field])),
  );
}

/** A value for a `jsonb` parameter; null and undefined are SQL null, not JSON null. */
export function jsonOf(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function isSql(value: unknown): value is Sql {
  return typeof value === "object" && value !== null && fragment in value;
}

function splicedWhole({ strings, parameters }: Sql[typeof fragment]): Pick<Sql, "text" | "values"> {
  const values: unknown[] = [];
  return { text: spliced(strings, parameters, values), values };
}

function spliced(strings: readonly string[], parameters: readonly unknown[], values: unknown[]): string {
  let text = strings[0] ?? "";
  parameters.forEach((parameter, i) => {
    if (isSql(parameter)) text += spliced(parameter[fragment].strings, parameter[fragment].parameters, values);
    else text += `$${values.push(parameter)}`;
    text += strings[i + 1];
  });
  return text;
}
