import Type, { type Static } from "typebox";
import { metadataOf } from "../../platform/http/metadata.js";
import {
  dateTime,
  filtersQuery,
  integer,
  listOf,
  metadata,
  named,
  nullable,
  oneOf,
  pageQuery,
  text,
} from "../../platform/http/schema.js";
import { DiscountBody } from "../../terms/index.js";
import { CustomerInputSchema } from "../customers/index.js";
import { GiftBody, VoucherBody } from "../vouchers/index.js";
import { count_max } from "./publication.js";
import { publication_filter_fields } from "./publication-list.filters.js";

const CampaignNamed = named(
  "PublicationCampaign",
  Type.Object({
    name: text({ minLength: 1, description: "Name or id." }),
    count: Type.Optional(
      nullable(integer({ minimum: 1, maximum: count_max, description: "Codes; one unless given." })),
    ),
  }),
);

const voucher = () => text({ minLength: 1, description: "Code; any campaign that is named beside it is ignored." });

/** Body of `POST /v1/publications`: a code, or a campaign that any code may come from (vouchers-and-campaigns.md §11.1). */
export const PublicationCreate = named(
  "PublicationCreate",
  Type.Object({
    customer: CustomerInputSchema,
    voucher: Type.Optional(nullable(voucher())),
    campaign: Type.Optional(nullable(CampaignNamed)),
    source_id: Type.Optional(nullable(text({ description: "The caller's own id of the publication." }))),
    metadata: Type.Optional(nullable(metadataOf("publication"))),
    channel: Type.Optional(nullable(text())),
  }),
);
export type PublicationCreate = Static<typeof PublicationCreate>;

const join_once = Type.Optional(
  Type.Boolean({ description: "Answers the code that the customer has of the campaign, if any." }),
);
export const PublicationOptions = Type.Object({ join_once });

/** Query of `GET /v1/publications/create`, in brackets: `customer[source_id]=…&campaign[name]=…`. */
export const PublicationCreateQuery = Type.Object({
  customer: CustomerInputSchema,
  voucher: Type.Optional(voucher()),
  campaign: Type.Optional(CampaignNamed),
  source_id: Type.Optional(text({ description: "The caller's own id of the publication." })),
  metadata: Type.Optional(metadata()),
  join_once,
});
export type PublicationCreateQuery = Static<typeof PublicationCreateQuery>;

const PublicationCustomer = named(
  "PublicationCustomer",
  Type.Object({
    id: Type.String(),
    source_id: nullable(Type.String()),
    name: nullable(Type.String()),
    email: nullable(Type.String()),
    metadata: metadata(),
    summary: Type.Null({ description: "Read with the customer." }),
    loyalty: Type.Null(),
    referrals: Type.Null(),
    object: Type.Literal("customer"),
  }),
);
export type PublicationCustomer = Static<typeof PublicationCustomer>;

const publication = {
  id: Type.String(),
  object: Type.Literal("publication"),
  created_at: dateTime(),
  customer_id: Type.String(),
  tracking_id: nullable(Type.String({ description: "The customer's source id." })),
  metadata: metadata(),
  channel: Type.String(),
  source_id: nullable(Type.String()),
  customer: PublicationCustomer,
  vouchers_id: Type.Array(Type.String()),
};

/** A publication as it is answered: with its voucher, or with the codes of several. */
export const PublicationBody = named(
  "Publication",
  Type.Object({
    ...publication,
    result: Type.Literal("SUCCESS"),
    voucher: Type.Optional(VoucherBody),
    vouchers: Type.Optional(Type.Array(Type.String())),
  }),
);
export type PublicationBody = Static<typeof PublicationBody>;

const PublishedVoucherBody = named(
  "PublishedVoucher",
  Type.Object({
    code: Type.String(),
    object: Type.Literal("voucher"),
    campaign: nullable(Type.String()),
    is_referral_code: nullable(Type.Boolean()),
    discount: Type.Optional(nullable(DiscountBody)),
    gift: Type.Optional(nullable(GiftBody)),
    loyalty_card: Type.Optional(nullable(VoucherBody.properties.loyalty_card)),
  }),
);
export type PublishedVoucherBody = Static<typeof PublishedVoucherBody>;

/** An entry of the list: granted, or refused with the reason. */
export const ListedPublication = named(
  "ListedPublication",
  Type.Object({
    ...publication,
    result: oneOf(["SUCCESS", "FAILURE"]),
    voucher: Type.Optional(
      nullable(Type.Object(PublishedVoucherBody.properties, { description: "Null once it is deleted for good." })),
    ),
    vouchers: Type.Optional(Type.Array(Type.String())),
    failure_code: Type.Optional(Type.String()),
    failure_message: Type.Optional(Type.String()),
  }),
);
export type ListedPublication = Static<typeof ListedPublication>;

export const PublicationList = named("PublicationList", listOf("publications", ListedPublication));

const sorted_by = ["id", "voucher_code", "tracking_id", "customer_id", "created_at", "channel"] as const;
export type PublicationOrder = (typeof sorted_by)[number] | `-${(typeof sorted_by)[number]}`;
const orders = sorted_by.flatMap((name): PublicationOrder[] => [name, `-${name}`]);

/** The highest page that is read by its number (platform.md §11.6). */
export const page_max = 1000;

export const PublicationQuery = Type.Object({
  limit: pageQuery(page_max).limit,
  page: Type.Optional(integer({ minimum: 1, description: "1000 at most." })),
  starting_after_id: Type.Optional(
    text({ description: "Only what comes after this record in the order asked for; stands in for `page`." }),
  ),
  order: Type.Optional(oneOf(orders, { description: "Newest first unless given." })),
  campaign: Type.Optional(text({ description: "Name." })),
  customer: Type.Optional(text({ description: "Id or source id." })),
  voucher: Type.Optional(text({ description: "Code." })),
  result: Type.Optional(oneOf(["SUCCESS", "FAILURE"])),
  voucher_type: Type.Optional(oneOf(["discount", "gift", "loyalty"])),
  is_referral_code: Type.Optional(Type.Boolean()),
  source_id: Type.Optional(text()),
  filters: filtersQuery(publication_filter_fields),
});
export type PublicationQuery = Static<typeof PublicationQuery>;
