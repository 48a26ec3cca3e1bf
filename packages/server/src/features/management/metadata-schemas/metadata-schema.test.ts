import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";

const { clock, management, anotherProject } = await startService();

const definition = { type: "string", optional: true, array: false };
const shown = { ...definition, deleted: false, object_type: null };

async function aProject() {
  const { id, api } = await anotherProject();
  const path = `/management/v1/projects/${id}/metadata-schemas`;
  return { id, api, path, make: async (body: object) => (await management.post(path, body, 200)).body };
}

describe("a metadata schema (platform.md §9)", () => {
  test("is made, read and listed", async () => {
    const { path, make } = await aProject();
    const body = await make({ related_object: "customer", properties: { plan: definition } });
    expect(body).toEqual({
      id: expect.stringMatching(/^ms_/),
      related_object: "customer",
      properties: { plan: shown },
      allow_defined_only: false,
      created_at: new Date(clock.now()).toISOString(),
      updated_at: null,
      object: "metadata_schema",
    });
    expect((await management.get(`${path}/${body.id}`, 200)).body).toEqual(body);
    expect((await management.get(path, 200)).body).toEqual({
      object: "list",
      data_ref: "data",
      data: [body],
      total: 1,
    });
  });

  test("is the only one of its object, however many are made at once", async () => {
    const { path } = await aProject();
    const sent = { related_object: "customer", properties: {} };
    const answers = await Promise.all(Array.from({ length: 6 }, () => management.post(path, sent)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      key: "duplicate_found",
      details: "Duplicated metadata schema exists with related_object customer",
      resource_id: "customer",
      resource_type: "metadata schema",
    });
  });

  test("is shown to the project's own keys with the older names of its options", async () => {
    const { api, make } = await aProject();
    const sizes = { type: "string", optional: false, array: true, eq: ["S", "M"], max_length: 3 };
    const home = { type: "object", optional: true, array: false, object_type: "address" };
    const body = await make({ related_object: "product", properties: { sizes, home }, allow_defined_only: true });
    const older = {
      ...body,
      properties: {
        sizes: {
          type: "string",
          optional: false,
          array: true,
          deleted: false,
          objectType: null,
          eq: ["S", "M"],
          maxLength: 3,
        },
        home: { type: "object", optional: true, array: false, deleted: false, objectType: "address" },
      },
    };
    expect((await api.get("/v1/metadata-schemas/product", 200)).body).toEqual(older);
    expect((await api.get("/v1/metadata-schemas", 200)).body).toEqual({
      object: "list",
      data_ref: "schemas",
      schemas: [older],
      data: [older],
      total: 1,
    });
    expect((await api.get("/v1/metadata-schemas/voucher", 404)).body).toMatchObject({
      details: "Cannot find metadata schema with id voucher",
      resource_id: "voucher",
      resource_type: "metadata schema",
    });
  });

  test("gets what is listed, each definition whole; others stay, and so does a type", async () => {
    const { path, make } = await aProject();
    const plan = { ...definition, max_length: 5 };
    const { id } = await make({ related_object: "customer", properties: { plan, age: definition } });
    clock.advance({ minutes: 1 });
    const properties = { plan: { ...definition, deleted: true }, since: { ...definition, type: "date" } };
    const { body } = await management.put(`${path}/${id}`, { properties, allow_defined_only: true }, 200);
    expect(body).toMatchObject({ allow_defined_only: true, updated_at: new Date(clock.now()).toISOString() });
    expect(body.properties).toEqual({
      plan: { ...shown, deleted: true },
      age: shown,
      since: { ...shown, type: "date" },
    });
    const retyped = { properties: { plan: { ...definition, type: "number" } } };
    expect((await management.put(`${path}/${id}`, retyped, 400)).body.details).toBe(
      "Property .properties.plan.type cannot be changed from string",
    );
    await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        management.put(`${path}/${id}`, { properties: { [`p${i}`]: definition } }, 200),
      ),
    );
    expect(Object.keys((await management.get(`${path}/${id}`, 200)).body.properties)).toHaveLength(9);
  });

  test("is gone after DELETE, and its object free", async () => {
    const { api, path, make } = await aProject();
    const { id } = await make({ related_object: "customer", properties: {} });
    await management.delete(`${path}/${id}`, 204);
    await management.delete(`${path}/${id}`, 404);
    await api.get("/v1/metadata-schemas/customer", 404);
    await make({ related_object: "customer", properties: {} });
  });

  test.each(["GET", "PUT", "DELETE"])("that is unknown, or another project's, is a 404 to %s", async (method) => {
    const [mine, other] = [await aProject(), await aProject()];
    const { id } = await mine.make({ related_object: "customer", properties: {} });
    const raw = method === "PUT" ? JSON.stringify({ properties: {} }) : undefined;
    for (const unknown of [`${mine.path}/ms_none`, `${other.path}/${id}`]) {
      const { body } = await management.send(method, unknown, { status: 404, ...(raw ? { raw } : {}) });
      expect(body).toMatchObject({ key: "not_found", resource_type: "metadata schema" });
    }
  });
});

describe("a schema's body", () => {
  const number = { type: "number", optional: true, array: false };
  const object = { type: "object", optional: true, array: false };
  const of = (property: object, related_object = "customer") => ({ related_object, properties: { Size: property } });
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`p${i}`, definition]));
  test.each<[unknown, string]>([
    [{ properties: {} }, "Payload must have required property 'related_object'"],
    [{ related_object: "customer" }, "Payload must have required property 'properties'"],
    [of({ ...number, eq: ["S"] }), "Property .properties.Size.eq.0 must be number"],
    [of({ ...definition, eq: ["S", 7] }), "Property .properties.Size.eq.1 must be string"],
    [of({ ...number, ne: [1, "2"] }), "Property .properties.Size.ne.1 must be number"],
    [of({ ...number, lt: "5" }), "Property .properties.Size.lt must be number"],
    [of({ optional: true, array: false }), "Property .properties.Size should have required property 'type'"],
    [of({ type: "string", array: false }), "Property .properties.Size should have required property 'optional'"],
    [of({ type: "string", optional: true }), "Property .properties.Size should have required property 'array'"],
    [of({ ...number, min_length: 3 }), "Property .properties.Size.min_length is not supported for type number"],
    [of({ ...definition, gte: 3 }), "Property .properties.Size.gte is not supported for type string"],
    [
      of({ ...definition, object_type: "address" }),
      "Property .properties.Size.object_type is not supported for type string",
    ],
    [
      of({ ...object, object_type: "customer" }),
      "Property .properties.Size.object_type must be the name of a nested schema",
    ],
    [of(object, "address"), "Property .properties.Size.type object is not supported in a nested schema"],
    [
      of({ ...definition, type: "geopoint" }, "order"),
      "Property .properties.Size.type geopoint is not supported for order",
    ],
    [
      of({ ...definition, type: "colour" }),
      "Property .properties.Size.type should be equal to one of the allowed values [string, number, object, date, datetime, geopoint, boolean, image_url]",
    ],
    [{ related_object: "customer", properties: many }, "Property .properties must NOT have more than 1000 properties"],
    [
      { related_object: "customer", properties: { p: { ...definition, eq: ["x".repeat(1_048_576)] } } },
      "Property .properties of all schemas together must not be larger than 1048576 bytes",
    ],
  ])("%.90j is refused", async (sent, details) => {
    const { path } = await aProject();
    expect((await management.post(path, sent, 400)).body).toMatchObject({ key: "invalid_payload", details });
  });
});
