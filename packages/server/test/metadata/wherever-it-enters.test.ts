import { describe, expect, test } from "vitest";
import { someoneIn } from "../../src/features/people/people.fixtures.js";
import { type JsonSchema, nameOf, type Operation, pathWith, readOperations } from "../harness/document.js";
import { named_by, referencesOf } from "../harness/references.js";
import { callerOf, fuller, makeOneOfEach } from "../harness/resources.js";
import { exampleOf } from "../harness/schema-values.js";
import { startService } from "../harness/service.js";

const service = await startService();
const { management, url, anotherProject } = service;
const project = await anotherProject();
const operations = await readOperations(url);
const made = await makeOneOfEach(project, operations);
const { browser } = await someoneIn(service, project.id, "ADMIN");

const objects = [
  ...["campaign", "customer", "earning_rule", "loyalty_tier", "order", "order_item", "product"],
  ...["promotion_tier", "publication", "redemption", "reward", "voucher"],
];
const properties = { size: { type: "number", optional: true, array: false } };
for (const related_object of objects) {
  await management.post(`/management/v1/projects/${project.id}/metadata-schemas`, { related_object, properties }, 200);
}

/** Every place in the body of an operation where metadata stands. */
function placesOf(schema: JsonSchema | undefined, steps: string[] = []): string[][] {
  if (!schema) return [];
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    name === "metadata" && isMetadata(property) ? [[...steps, name]] : placesOf(property, [...steps, name]),
  );
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [
    ...inside,
    ...placesOf(schema.items, [...steps, "[]"]),
    ...alternatives.flatMap((one) => placesOf(one, steps)),
  ];
}

/** Not that of a formula, which names a property of somebody's metadata. */
const isMetadata = (schema: JsonSchema) =>
  [schema, ...(schema.anyOf ?? [])].some(({ additionalProperties }) => typeof additionalProperties === "object");

const places = operations.flatMap((operation) =>
  placesOf(operation.body).map((steps) => ({ name: `${nameOf(operation)}: ${steps.join(".")}`, operation, steps })),
);

const inOrders = (place: string) => `POST /v1/orders/import: [].${place}`;

/** Looked at elsewhere: against the event's definition, and row by row in the report of a job. */
const elsewhere = [
  "POST /v1/events: metadata",
  "POST /client/v1/events: metadata",
  ...["metadata", "customer.metadata", "referrer.metadata", "items.[].metadata"].map(inOrders),
  ...["items.[].product.metadata", "items.[].sku.metadata"].map(inOrders),
  "POST /v1/vouchers/import: [].metadata",
  "POST /v1/campaigns/{campaignId}/import: [].metadata",
  ...["products", "customers", "vouchers"].flatMap((noun) => [
    `POST /v1/${noun}/metadata/async: metadata`,
    `POST /v1/${noun}/bulk/async: [].metadata`,
  ]),
];

function targetOf(operation: Operation): string {
  const names = referencesOf(operation).flatMap(({ in: place, steps: [step = ""], key }) => {
    const [resource] = named_by[key] ?? [];
    const of_program = operation.path.startsWith("/v1/loyalties") && step === "campaignId";
    return place === "path" && resource ? [[step, made[of_program ? "program" : resource]?.[0] ?? ""]] : [];
  });
  const asked = operation.parameters.filter(({ in: place, required }) => place === "query" && required);
  const query = asked.map(({ name, schema }) => `${name}=${exampleOf(schema)}`).join("&");
  return `${pathWith(operation.path, Object.fromEntries(names))}?${query}`;
}

describe("metadata that breaks its schema (rules.md §16)", () => {
  const checked = places.filter(({ name }) => !elsewhere.includes(name));

  test("can be sent to many an operation", () => {
    expect(checked.length).toBeGreaterThan(80);
    expect(places.length - checked.length).toBe(elsewhere.length);
  });

  test.each(checked)("is refused by $name", async ({ operation, steps }) => {
    const example = exampleOf(operation.body ?? {}, steps, { size: "L" });
    const raw = JSON.stringify(
      Array.isArray(example) ? example : { ...fuller(operation.id, "CODE"), ...Object(example) },
    );
    const api = operation.path.startsWith("/dashboard/") ? browser : callerOf(operation, project);
    const { body } = await api.send(operation.method, targetOf(operation), { raw, status: 400 });
    expect(body).toEqual({
      code: 400,
      key: "metadata_validation_failed",
      message: "Metadata validation failed",
      details: "size: must be a number (actual value is 'L')",
      request_id: expect.any(String),
    });
  });
});
