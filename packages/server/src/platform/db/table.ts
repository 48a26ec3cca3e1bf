import { type Bounds, bounds, TooLarge } from "../bounds.js";
import { type Instant, isoOf } from "../clock.js";
import { isWireType, wireArray, wireInstants } from "./connections/wire-arrays.js";
import { joined, jsonOf, type Sql, sql } from "./sql.js";

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
export const int8 = plain<number>("bigint");
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
  names: written([Object.keys(columns).join(", ")], []),
});

/** The columns of a `select` without some that it takes from elsewhere. */
export function fieldsBut<Row>({ name, columns }: Pick<Table<Row>, "name" | "columns">, names: (keyof Row)[]): Sql {
  const taken = Object.keys(columns).filter((column) => !names.includes(column as keyof Row));
  return written([taken.map((column) => `${name}.${column}`).join(", ")], []);
}

/**
 * Inserts rows; the caller may go on with `on conflict` or `returning`. What is the same in all of them is sent once, as
 * `same`.
 */
export function insertInto<Row, Same extends keyof Row = never>(
  into: Table<Row>,
  project_id: string,
  rows: readonly Omit<Row, Same>[],
  same: Pick<Row, Same> = {} as Pick<Row, Same>,
): Sql {
  const alike = alikeIn(into, rows as readonly Row[]);
  const same_names = namesOf(into).filter((name) => name in same || alike.includes(name));
  const names = namesOf(into).filter((name) => !same_names.includes(name));
  const strings = textOf(into, `insert ${same_names}`, () => insertText(into, names, same_names));
  return written(strings, [
    project_id,
    ...same_names.map((name) => sent(into, name, (name in same ? same : rows[0]) as Row)),
    ...arraysOf(into, rows as readonly Row[], names),
  ]);
}

/**
 * What is sent once: of one row all of it, since lists of one take longer to make and to read; else what the table's rows mostly have in
 * common, where these rows have all of it in common. So there are three texts, and not many.
 */
function alikeIn<Row>(into: Table<Row>, rows: readonly Row[]): readonly (keyof Row & string)[] {
  const { mostly_alike } = into;
  if (rows.length === 1) return namesOf(into);
  return rows.length > 0 && mostly_alike.every((name) => areAlike(into, name, rows)) ? mostly_alike : [];
}

/** Rows that come of one request have one object in common, which is made a text once. */
function areAlike<Row>({ columns }: Table<Row>, name: keyof Row & string, rows: readonly Row[]): boolean {
  const [first, ...others] = new Set(rows.map((row) => row[name] ?? null));
  if (others.length === 0) return true;
  const asSent = (value: unknown) => columns[name].sent(value as NonNullable<Row[typeof name]>);
  return first instanceof Object && others.every((value) => value instanceof Object && asSent(value) === asSent(first));
}

const arraysOf = <Row>(into: Table<Row>, rows: readonly Row[], names: readonly (keyof Row & string)[]) =>
  names.map((name) => {
    const { sent_as } = into.columns[name];
    const instants = sent_as === "timestamptz" ? wireInstants(rows.map((row) => row[name] ?? null)) : undefined;
    if (instants) return instants;
    const values = rows.map((row) => sent(into, name, row));
    return isWireType(sent_as) ? wireArray(sent_as, values as (string | null)[]) : values;
  });

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
  const alike = namesOf(into).filter((name) => name in same || isSame(name));
  const names = namesOf(into).filter((name) => !alike.includes(name));
  return written(insertText(into, names, alike), [
    project_id,
    ...alike.map((name) => sent(into, name, name in same ? (same as Row) : first)),
    ...arraysOf(into, rows as readonly Row[], names),
  ]);
}

/** Writes whole rows, new or known by their id; of a known one the `kept` columns stay as they are. */
export function upsertInto<Row extends { id: string }>(
  into: Table<Row>,
  project_id: string,
  rows: readonly Row[],
  kept: readonly (keyof Row & string)[],
): Sql {
  const alike = alikeIn(into, rows);
  const names = namesOf(into).filter((name) => !alike.includes(name));
  const strings = textOf(into, `upsert ${kept} ${alike}`, () => {
    const changed = namesOf(into).filter((name) => name !== "id" && !kept.includes(name));
    const changes = changed.map((name) => `${name} = excluded.${name}`).join(", ");
    const insert = insertText(into, names, alike);
    return [...insert.slice(0, -1), `${insert.at(-1)} on conflict (project_id, id) do update set ${changes}`];
  });
  const once = rows[0] === undefined ? [] : alike.map((name) => sent(into, name, rows[0] as Row));
  return written(strings, [project_id, ...once, ...arraysOf(into, rows, names)]);
}

/** What an `update` sets: the named columns to what the row has there. */
export function sets<Row, Name extends keyof Row & string>(
  of: Table<Row>,
  row: Pick<Row, Name>,
  names: readonly Name[],
): Sql {
  const one = (name: Name) =>
    written(
      textOf(of, `set ${name}`, () => [`${name} = `, `::${of.columns[name].type}`]),
      [sent(of, name, row as Row)],
    );
  return joined(names.map(one), ",");
}

const namesOf = <Row>({ columns }: Table<Row>) => Object.keys(columns) as (keyof Row & string)[];

function sent<Row>({ columns }: Table<Row>, name: keyof Row, row: Row): unknown {
  const value = row[name];
  return value === null || value === undefined ? null : columns[name].sent(value);
}

/** The pieces of text between the parameters: the project, what is the same, then an array a column; where all is the same, one row. */
function insertText<Row>(
  { name: into, columns }: Table<Row>,
  names: readonly (keyof Row & string)[],
  same_names: readonly (keyof Row & string)[],
): string[] {
  const selected = names.map((name) => {
    const { type, sent_as } = columns[name];
    return sent_as === type ? `made.${name}` : `made.${name}::${type}`;
  });
  const once = same_names.map((name) => `::${columns[name].type}, `);
  const arrays = names.map((name) => `::${columns[name].sent_as}[]`);
  const opening = `insert into ${into} (${["project_id", ...same_names, ...names].join(", ")}) select `;
  const pieces = [opening, "::text, ", ...once];
  if (names.length === 0) return [...pieces.slice(0, -1), (pieces.at(-1) as string).replace(", ", "")];
  pieces[pieces.length - 1] += `${selected.join(", ")} from unnest(`;
  pieces.push(
    ...arrays.map((array, i) => (i < arrays.length - 1 ? `${array}, ` : `${array}) as made (${names.join(", ")})`)),
  );
  return pieces;
}

const texts = new WeakMap<object, Map<string, readonly string[]>>();

/** Each text is made once: `sql` knows a static one by its pieces, and prepares it under one name. */
function textOf<Row>(of: Table<Row>, use: string, make: () => string[]): readonly string[] {
  const known = texts.get(of) ?? new Map<string, readonly string[]>();
  texts.set(of, known);
  const pieces = known.get(use) ?? make();
  known.set(use, pieces);
  return pieces;
}

const written = (strings: readonly string[], parameters: readonly unknown[]): Sql =>
  sql(strings as unknown as TemplateStringsArray, ...parameters);
