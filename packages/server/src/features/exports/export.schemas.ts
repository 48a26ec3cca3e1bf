import Type, { type Static } from "typebox";
import { dateTime, document, listOf, listQuery, named, nullable, oneOf, text } from "../../platform/http/schema.js";
import { export_statuses, fields_max } from "./export.js";

/** What may be asked of any export; each object has fields, orders and filters of its own (§10.2, §10.3). */
export const ExportSent = named(
  "ExportParameters",
  Type.Object({
    order: Type.Optional(text({ description: "Newest first unless given." })),
    fields: Type.Optional(
      Type.Array(text(), {
        maxItems: fields_max,
        description: "Columns of the file, in their order; `metadata.<key>` is one key, `metadata` all of the schema.",
      }),
    ),
    filters: Type.Optional(
      document("GUERDON_RULE_BYTES", {
        description: "`{ junction, <field>: { conditions: { <operator>: operand | operands } } }`, as lists take them.",
      }),
    ),
    campaign_id: Type.Optional(text({ description: "Of vouchers: those of one campaign." })),
  }),
);
export type ExportSent = Static<typeof ExportSent>;

/** What an operation that exports one object may be sent: anything, or nothing at all. */
export const ExportOfOne = named("ExportOfOne", Type.Object({ parameters: Type.Optional(ExportSent) }));

export const ExportCreate = (objects: readonly string[]) =>
  named("ExportCreate", Type.Object({ exported_object: oneOf(objects), parameters: Type.Optional(ExportSent) }));

export const ExportBody = named(
  "Export",
  Type.Object({
    id: Type.String(),
    object: Type.Literal("export"),
    created_at: dateTime(),
    status: oneOf(export_statuses),
    channel: Type.String(),
    exported_object: Type.String(),
    parameters: Type.Record(Type.String(), Type.Unknown(), { description: "As they were sent." }),
    result: nullable(
      Type.Object({ url: Type.String({ description: "The file, for whoever has the url; null until DONE." }) }),
    ),
    user_id: nullable(Type.String()),
    error: Type.Optional(Type.Object({ message: Type.String({ description: "Why there is no file." }) })),
  }),
);
export type ExportBody = Static<typeof ExportBody>;

export const ExportList = named("ExportList", listOf("exports", ExportBody));

const { limit, page } = listQuery(100);
export const ExportQuery = Type.Object({
  limit,
  page,
  order: Type.Optional(oneOf(["created_at", "-created_at", "status", "-status"])),
});
export type ExportQuery = Static<typeof ExportQuery>;

export const ExportParams = Type.Object({ exportId: text() });
export const DownloadQuery = Type.Object({
  token: Type.Optional(Type.String({ description: "Stands in the url of the result: then the file is answered." })),
});
