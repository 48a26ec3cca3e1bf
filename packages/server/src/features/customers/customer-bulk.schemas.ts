import Type from "typebox";
import { metadata, named, nullable, text } from "../../platform/http/schema.js";
import { CustomerUpdate } from "./customer.schemas.js";

const source_id = () => text({ minLength: 1, description: "One that nobody has becomes a customer." });

/** Body of `POST /v1/customers/bulk/async`. */
export const CustomersBulkUpdate = named(
  "CustomersBulkUpdate",
  Type.Array(
    Type.Object({
      ...CustomerUpdate.properties,
      source_id: source_id(),
      // It is looked at customer by customer, and told in the report.
      metadata: Type.Optional(nullable(metadata())),
    }),
  ),
);

/** Body of `POST /v1/customers/metadata/async`. */
export const CustomersMetadataUpdate = named(
  "CustomersMetadataUpdate",
  Type.Object({ source_ids: Type.Array(source_id()), metadata: metadata() }),
);
