import Type, { type Static } from "typebox";
import { metadataOf } from "../../../platform/http/metadata.js";
import { named, nullable, pageQuery, text } from "../../../platform/http/schema.js";
import { CustomerInputSchema } from "../../customers/index.js";
import { VoucherQuery } from "../../vouchers/index.js";
import { ProgramParams } from "../programs/index.js";

/** Body of `POST /v1/loyalties/:campaignId/members`. */
export const MemberCreate = named(
  "MemberCreate",
  Type.Object({
    customer: CustomerInputSchema,
    voucher: Type.Optional(nullable(text({ minLength: 1, description: "Code of a card that nobody has yet." }))),
    source_id: Type.Optional(nullable(text({ description: "The caller's own id of the publication." }))),
    metadata: Type.Optional(nullable(metadataOf("publication"))),
    channel: Type.Optional(nullable(text())),
  }),
);
export type MemberCreate = Static<typeof MemberCreate>;

const { order, customer, code, ids, created_at, updated_at } = VoucherQuery.properties;
export const MemberQuery = Type.Object({ ...pageQuery(100), order, customer, code, ids, created_at, updated_at });
export type MemberQuery = Static<typeof MemberQuery>;

const memberId = text({ minLength: 1, description: "Code or id of the card." });
export const CardParams = Type.Object({ memberId });
export const MemberParams = Type.Object({ ...ProgramParams.properties, memberId });
