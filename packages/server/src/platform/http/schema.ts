import Type, { type Static, type TObject, type TOptional, type TProperties, type TSchema } from "typebox";

/** Text that may reach an index: at most 255 characters unless said otherwise. */
export const text = (options: { maxLength?: number; minLength?: number; description?: string } = {}) =>
  Type.String({ maxLength: 255, ...options });

/** Text that is only kept and shown. */
export const longText = (options: { description?: string } = {}) => Type.String({ maxLength: 16_384, ...options });

/** A whole number that JSON and PostgreSQL hold exactly. */
export const integer = (options: { minimum?: number; maximum?: number; description?: string } = {}) =>
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...options });

/** Minor units: 100 is 1.00 of the project's currency. */
export const money = (description?: string) => integer({ minimum: 0, ...(description ? { description } : {}) });

/** ISO 8601, date or date-time; read with `instantFrom`. */
export const dateTime = (description?: string) =>
  Type.String({ format: "date-time", ...(description ? { description } : {}) });

/** The shape under a name of its own: documented and compiled once, and referred to wherever it stands. */
export const named = <Schema extends TSchema>($id: string, schema: Schema): Schema => Object.assign(schema, { $id });

/** The keyword of a document whose size an operator bounds (`platform/bounds.ts`). */
export const bounded_by = "x-bounded-by" as const;

/** The keyword of metadata that a caller sends: what it is the metadata of (`metadata.ts`). */
export const metadata_of = "x-metadata-of" as const;

/** Where the bound of a document is set. */
export type BoundVariable = "GUERDON_METADATA_BYTES" | "GUERDON_RULE_BYTES" | "GUERDON_ORDER_BYTES";

/** An object of the caller's own making; its JSON may only be so large. */
export const document = (by: BoundVariable, options: { description?: string } = {}) =>
  Type.Record(Type.String(), Type.Unknown(), { [bounded_by]: by, ...options });

const Metadata = named(
  "Metadata",
  document("GUERDON_METADATA_BYTES", {
    description: "Keys and values of your own; 64 KB of JSON unless set otherwise.",
  }),
);

/** Free key/value pairs of the caller, as they are shown; as they are sent: `metadataOf` (rules.md §16). */
export const metadata = () => Metadata;

/** One of the given texts. */
export const oneOf = <const Value extends string>(values: readonly Value[], options: { description?: string } = {}) =>
  Type.Unsafe<Value>({ type: "string", enum: [...values], ...options });

/** The schema, or null: a nameless one as a type list, so that a violation reads `must be string,null`. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: values, ...rest } = schema as TSchema & { type?: string; enum?: unknown[] };
  if (typeof type !== "string" || "$id" in schema)
    return Type.Unsafe<Static<Schema> | null>({ anyOf: [schema, { type: "null" }] });
  return Type.Unsafe<Static<Schema> | null>({
    ...rest,
    type: [type, "null"],
    ...(values ? { enum: [...values, null] } : {}),
  });
}

/** Every property of the record optional. */
export const optional = <Properties extends TProperties>(properties: Properties) =>
  Type.Partial(Type.Object(properties));

/** A list as the API wraps it (platform.md §11.6): `data_ref` names the key that holds the rows. */
export const listOf = <Key extends string, Row extends TSchema>(key: Key, row: Row) =>
  Type.Object({
    object: Type.Literal("list"),
    data_ref: Type.Literal(key),
    [key as Key]: Type.Array(row),
    total: integer({ minimum: 0, description: "Matches before paging." }),
    total_estimated: Type.Optional(
      Type.Literal(true, { description: "There are more than 20,000 matches; `total` is an estimate." }),
    ),
    has_more: Type.Optional(Type.Boolean({ description: "Whether any come after this page." })),
  } as { object: ReturnType<typeof Type.Literal<"list">>; data_ref: ReturnType<typeof Type.Literal<Key>> } & Record<
    Key,
    ReturnType<typeof Type.Array<Row>>
  > & {
      total: ReturnType<typeof integer>;
      total_estimated: TOptional<ReturnType<typeof Type.Literal<true>>>;
      has_more: TOptional<ReturnType<typeof Type.Boolean>>;
    });

/** What a list says of the page after this one, where one goes on by cursor; `followedBy` fills it. */
export const to_follow = {
  has_more: Type.Boolean(),
  more_starting_after: Type.Optional(
    Type.String({ description: "The `starting_after_id` of the next page; only with `has_more`." }),
  ),
};

/** Query parameters of a paged list; the highest page differs (platform.md §11.6). */
export const pageQuery = (page_max: number) => ({
  limit: Type.Optional(integer({ minimum: 1, maximum: 100, description: "Rows on a page; 10 unless given." })),
  page: Type.Optional(integer({ minimum: 1, maximum: page_max })),
});

/** The same, or by cursor: however many records are added meanwhile, none is met twice or passed by. */
export const listQuery = (page_max: number) => ({
  ...pageQuery(page_max),
  starting_after_id: Type.Optional(
    text({ description: "Only what comes after this record in the order asked for; stands in for `page`." }),
  ),
});

/** Conditions by field (rules.md §15), written as nested query parameters. */
export const filtersQuery = (fields: string) =>
  Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: "object",
      description: `\`filters[<field>][conditions][<operator>]=…\`, \`filters[junction]=and|or\`. Fields: ${fields}.`,
    }),
  );

/** A parameter that the contract names and we do not have: refused, since whoever sends it relies on it. */
export const notYet = () => Type.Optional(Type.Unsafe<never>({ not: {}, description: "Not supported yet: refused." }));

/** `created_at[before]` and `created_at[after]`, both exclusive. */
export const between = () => Type.Optional(DateBounds);

const DateBounds = named(
  "DateBounds",
  Type.Object({ before: Type.Optional(dateTime()), after: Type.Optional(dateTime()) }),
);

/** Several ids in a query: repeated, or in one text with commas between them. */
export const Ids = named(
  "Ids",
  Type.Union([Type.Array(text(), { maxItems: 1000 }), Type.String({ maxLength: 65_536 })]),
);

/** A resource error or payload error. */
const ProblemSchema = Type.Object(
  {
    code: Type.Optional(Type.Integer()),
    statusCode: Type.Optional(Type.Integer()),
    key: Type.Optional(Type.String()),
    message: Type.String(),
    details: Type.Optional(Type.String()),
    request_id: Type.Optional(Type.String()),
    resource_id: Type.Optional(Type.String()),
    resource_type: Type.Optional(Type.String()),
    error: Type.Optional(Type.Union([Type.String(), Type.Object({ message: Type.String() })])),
  },
  { $id: "Problem", additionalProperties: true, description: "Why a request was refused." },
);

/** An answer without a body. */
export const NoContent = Type.Null({ description: "Done; no body." });

/** The answers that any operation may give beside its own. */
export const withProblems = <Responses extends Record<number, TSchema>>(responses: Responses) => ({
  ...responses,
  "4xx": ProblemSchema,
  "5xx": ProblemSchema,
});

export type { TObject };
