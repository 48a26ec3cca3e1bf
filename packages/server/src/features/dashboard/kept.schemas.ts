import Type, { type Static } from "typebox";
import { dateTime, document, named, text } from "../../platform/http/schema.js";

const page = text({
  minLength: 1,
  description: "What it is of, as the page's address names it: `vouchers`, `campaigns/new`.",
});
const name = text({ minLength: 1 });
const content = document("GUERDON_RULE_BYTES", { description: "Whatever the page makes of it." });

export const KeptFields = named("KeptFields", Type.Object({ page, name, content }));
export type KeptFields = Static<typeof KeptFields>;

export const KeptUpdate = named("KeptUpdate", Type.Partial(Type.Object({ name, content })));
export type KeptUpdate = Static<typeof KeptUpdate>;

const shown = {
  id: Type.String(),
  page: Type.String(),
  name: Type.String(),
  created_at: dateTime(),
  updated_at: dateTime(),
};
const any_content = Type.Record(Type.String(), Type.Unknown());
export const KeptBody = named("Kept", Type.Object({ ...shown, content: any_content }));
export const KeptList = named(
  "KeptList",
  Type.Object({
    data: Type.Array(Type.Object({ ...shown, content: Type.Optional(any_content) }), {
      description: "All of one's own, the one that was changed last first; drafts without their content.",
    }),
  }),
);
export const KeptQuery = Type.Object({ page: Type.Optional(text()) });
export const KeptParams = Type.Object({ keptId: text() });
