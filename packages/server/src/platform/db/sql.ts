import { createHash } from "node:crypto";
import { jsonText } from "../lists/written-once.js";
import { wireArray } from "./connections/wire-arrays.js";

/** A statement with its values apart: nothing a caller sends ever becomes part of the text. Not to be spread: see {@link plannedEachTime}. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Statements with a name are prepared once per connection. */
  readonly name: string | undefined;
  readonly [fragment]: Parts;
}

interface Parts {
  readonly strings: readonly string[];
  readonly parameters: readonly unknown[];
  readonly shape: Shape | undefined;
  /** No fragment is among the parameters. */
  readonly is_flat: boolean;
}

/** How a statement is put together: the same pieces with the same fragments between them make the same text. */
interface Shape {
  /** With one more parameter: a fragment of this shape, or a value. */
  readonly next: Map<Shape | "value", Shape>;
  written?: Written;
}

type Written = Pick<Sql, "text" | "name">;

const fragment = Symbol("sql");
const shapes = new WeakMap<readonly string[], Shape>();
/** Past this many, texts that are put together of fragments are made anew each time. */
const shapes_max = 10_000;
let shapes_made = 0;
const names = new Map<string, string>();
/** Past this many, new ones are not prepared. */
const names_max = 1000;

/** Writes SQL as SQL: `${value}` becomes a parameter, `${sql`…`}` is spliced in. */
export const sql = (strings: TemplateStringsArray, ...parameters: unknown[]): Sql =>
  parameters.some(isSql)
    ? new Statement({ strings, parameters, shape: shapeOf(strings, parameters), is_flat: false })
    : flatSql(strings, parameters);

/** The same of pieces that are kept, since a text is known by them, and of values alone, which are not looked through for fragments. */
export const flatSql = (strings: readonly string[], parameters: readonly unknown[]): Sql =>
  new Statement({ strings, parameters, shape: shapeAt(strings), is_flat: true });

/**
 * What is made of the parts is made when it is asked for: of whole statements alone, which are few. By a class, since an object with
 * getters of its own takes as long to make as the text.
 */
class Statement implements Sql {
  readonly [fragment]: Parts;

  constructor(parts: Parts) {
    this[fragment] = parts;
  }

  get text(): string {
    return writtenOf(this[fragment]).text;
  }

  get values(): readonly unknown[] {
    return valuesOf(this[fragment]);
  }

  get name(): string | undefined {
    return writtenOf(this[fragment]).name;
  }
}

function shapeAt(strings: readonly string[]): Shape {
  let shape = shapes.get(strings);
  if (!shape) {
    shape = { next: new Map() };
    shapes.set(strings, shape);
  }
  return shape;
}

function shapeOf(strings: readonly string[], parameters: readonly unknown[]): Shape | undefined {
  let shape: Shape | undefined = shapeAt(strings);
  for (const parameter of parameters) {
    const by = isSql(parameter) ? parameter[fragment].shape : "value";
    if (by === undefined) return undefined;
    shape = nextOf(shape, by);
    if (!shape) return undefined;
  }
  return shape;
}

function nextOf({ next }: Shape, by: Shape | "value"): Shape | undefined {
  const known = next.get(by);
  if (known || shapes_made === shapes_max) return known;
  shapes_made += 1;
  const made = { next: new Map() };
  next.set(by, made);
  return made;
}

/** Once for all of a shape. */
function writtenOf(parts: Parts): Written {
  const { shape, is_flat } = parts;
  if (shape?.written) return shape.written;
  const text = spliced(parts, { count: 0 });
  const written = { text, name: is_flat ? nameOf(text) : knownName(text) };
  if (shape) shape.written = written;
  return written;
}

function spliced({ strings, parameters }: Parts, numbered: { count: number }): string {
  let text = strings[0] ?? "";
  parameters.forEach((parameter, i) => {
    if (isSql(parameter)) text += spliced(parameter[fragment], numbered);
    else {
      numbered.count += 1;
      text += `$${numbered.count}`;
    }
    text += strings[i + 1];
  });
  return text;
}

const valuesOf = (parts: Parts): readonly unknown[] => (parts.is_flat ? parts.parameters : listed(parts, []));

function listed({ parameters }: Parts, values: unknown[]): readonly unknown[] {
  for (const parameter of parameters) {
    if (isSql(parameter)) listed(parameter[fragment], values);
    else values.push(parameter);
  }
  return values;
}

/** The statement without a name, as plain values: PostgreSQL plans it for its values each time, as what a filter finds depends on them. */
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
  return {
    text,
    values: [],
    name: undefined,
    [fragment]: { strings: [text], parameters: [], shape: undefined, is_flat: true },
  };
}

/** A column that is unique in its project. */
export interface UniqueColumn {
  table: Sql;
  column: Sql;
}

/**
 * The rows of a project that have one of the values in a unique column, for a `from`, under the table's name. Looked up one by one: no
 * statistics, however old, make this anything but probes of the unique index. Of one value alone nothing has to be unpacked.
 */
export function probed({ table, column }: UniqueColumn, project_id: string, values: readonly string[]): Sql {
  const row = (value: Sql) =>
    sql`select * from ${table} where ${table}.project_id = ${project_id} and ${table}.${column} = ${value}`;
  if (values.length === 1) return sql`(${row(sql`${values[0]}`)}) as ${table}`;
  return sql`unnest(${values}::text[]) as named (value), lateral (${row(sql`named.value`)} limit 1) as ${table}`;
}

/** What things of a project are named by. */
export interface Names {
  ids: readonly string[];
  source_ids: readonly string[];
}

/** Selects something of the rows that are named by either; `of` is their column of source ids. */
export function selectNamed(of: UniqueColumn, project_id: string, { ids, source_ids }: Names, selected: Sql): Sql {
  const { table } = of;
  const by_source_id = sql`
    select ${selected} from ${probed(of, project_id, source_ids)} where ${table}.project_id = ${project_id}`;
  const by_id = sql`
    union all
    select ${selected} from ${table} where ${table}.project_id = ${project_id} and ${table}.id = any(${ids}::text[])`;
  return sql`${by_source_id} ${ids.length === 0 ? sql`` : by_id}`;
}

/** A statement about rows, where there are any. */
export const forAny = <Row>(rows: readonly Row[], statement: (rows: readonly Row[]) => Sql): readonly Sql[] =>
  rows.length > 0 ? [statement(rows)] : [];

/** Fails, and its transaction with it, unless the `insert` or `update`, which has no `returning`, touches so many rows. */
export const exactly = (rows: number, what: string, statement: Sql): Sql => sql`
  with touched as (${statement} returning 1)
  select must_be((select count(*) from touched), ${rows}::bigint, ${what}::text)`;

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
export function textColumn<Field extends string>(
  rows: readonly { readonly [Name in Field]: string | null }[],
  field: Field,
): Buffer {
  return wireArray("text", column(rows, field));
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
  return value === null || value === undefined ? null : jsonText(value);
}

function isSql(value: unknown): value is Sql {
  return typeof value === "object" && value !== null && fragment in value;
}
