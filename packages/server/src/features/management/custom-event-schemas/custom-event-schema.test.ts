import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { sql } from "../../../platform/db/sql.js";

const { api, clock, context, management, project, anotherProject } = await startService();
const path = `/management/v1/projects/${project.id}/custom-event-schemas`;
const properties = { title: { type: "string", optional: false }, count: { type: "number", optional: true } };

describe("custom event schemas of a project", () => {
  const others = async (count: number, bytes: number) => {
    const { id } = await anotherProject();
    await context.db.run(sql`
      insert into custom_event_schemas (project_id, id, name, properties, created_at)
      select ${id}, 'ms_' || number, 'event ' || number,
             json_build_object('p', json_build_object('type', 'string', 'about', repeat('x', ${bytes}::int)))::jsonb,
             '2026-03-01'
        from generate_series(1, ${count}::int) as number`);
    return `/management/v1/projects/${id}/custom-event-schemas`;
  };

  test("are at most a thousand, whoever comes at once", async () => {
    const path = await others(998, 1);
    const make = (name: string) => management.post(path, { name, schema: { properties } });
    const answers = await Promise.all(["a", "b", "c", "d"].map(make));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 400, 400]);
    expect((await make("one more")).body).toMatchObject({
      key: "invalid_payload",
      details: "There must NOT be more than 1000 custom event schemas in a project: delete one that is not used",
    });
    await management.delete(`${path}/ms_1`, 204);
    expect((await make("one more")).status).toBe(200);
  });

  test("have at most 4 MB of definitions together, when one is made and when one is changed", async () => {
    const path = await others(2, 2_096_500);
    const wide = { properties: { ["k".repeat(90)]: properties.title } };
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}${"k".repeat(90)}`, properties.title]));
    const { id } = (await management.post(path, { name: "small", schema: wide }, 200)).body;
    for (const { body } of [
      await management.post(path, { name: "large", schema: { properties: many } }, 400),
      await management.put(`${path}/${id}`, { schema: { properties: many } }, 400),
    ]) {
      const details = "Property .schema.properties of all schemas together must not be larger than 4194304 bytes";
      expect(body).toMatchObject({ key: "invalid_payload", details });
    }
    expect((await management.get(`${path}/${id}`, 200)).body.schema).toEqual(wide);
  });
});

describe("a custom event schema", () => {
  test("is made, read and listed", async () => {
    const { body } = await management.post(path, { name: "sign-up", schema: { properties } }, 200);
    expect(body).toEqual({
      id: expect.stringMatching(/^ms_/),
      name: "sign-up",
      schema: { properties },
      created_at: new Date(clock.now()).toISOString(),
      object: "custom-event-schema",
    });
    expect((await management.get(`${path}/${body.id}`, 200)).body).toEqual(body);
    expect((await management.get(path, 200)).body).toEqual({
      object: "list",
      data_ref: "data",
      data: [body],
      total: 1,
    });
  });

  test("has a name of its own within its project", async () => {
    await management.post(path, { name: "once", schema: { properties: {} } }, 200);
    const { body } = await management.post(path, { name: "once", schema: { properties: {} } }, 409);
    expect(body).toMatchObject({
      key: "duplicate_found",
      details: "Duplicated custom_event_schema exists with name once",
      resource_id: "once",
      resource_type: "custom_event_schema",
    });
    const other = await anotherProject();
    await management.post(
      `/management/v1/projects/${other.id}/custom-event-schemas`,
      { name: "once", schema: { properties: {} } },
      200,
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => management.post(path, { name: "rush", schema: { properties: {} } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });

  test("gets the properties that are listed, of another type even; others stay, and so does the name", async () => {
    const { id } = (await management.post(path, { name: "changing", schema: { properties } }, 200)).body;
    clock.advance({ minutes: 1 });
    const change = {
      name: "other",
      schema: {
        properties: {
          count: { type: "string", optional: true, deleted: true },
          day: { type: "date", optional: true },
        },
      },
    };
    const { body } = await management.put(`${path}/${id}`, change, 200);
    expect(body).toMatchObject({ name: "changing", updated_at: new Date(clock.now()).toISOString() });
    expect(body.schema.properties).toEqual({ title: properties.title, ...change.schema.properties });
    expect((await management.put(`${path}/${id}`, {}, 200)).body).toEqual(body);
    await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        management.put(
          `${path}/${id}`,
          { schema: { properties: { [`p${i}`]: { type: "date", optional: true } } } },
          200,
        ),
      ),
    );
    const merged = (await management.get(`${path}/${id}`, 200)).body;
    expect(Object.keys(merged.schema.properties)).toHaveLength(11);
  });

  test("is gone after DELETE: the event is unknown, and its name free", async () => {
    const { id } = (await management.post(path, { name: "leaving", schema: { properties: {} } }, 200)).body;
    const event = { event: "leaving", customer: { source_id: "ann" } };
    await api.post("/v1/events", event, 200);
    await management.delete(`${path}/${id}`, 204);
    await management.delete(`${path}/${id}`, 404);
    await api.post("/v1/events", event, 404);
    await management.post(path, { name: "leaving", schema: { properties: {} } }, 200);
  });

  test.each(["GET", "PUT", "DELETE"])(
    "that is unknown is answered by name to %s, another project's too",
    async (method) => {
      const other = await anotherProject();
      const { id } = (await management.post(path, { name: `of ${method}`, schema: { properties: {} } }, 200)).body;
      const elsewhere = `/management/v1/projects/${other.id}/custom-event-schemas`;
      const raw = method === "PUT" ? JSON.stringify({ schema: { properties: {} } }) : undefined;
      for (const unknown of [`${path}/ms_none`, `${elsewhere}/${id}`]) {
        const { body } = await management.send(method, unknown, { status: 404, ...(raw ? { raw } : {}) });
        expect(body).toMatchObject({ key: "not_found", resource_type: "custom_event_schema" });
      }
      const lost = `/management/v1/projects/proj_none/custom-event-schemas/${id}`;
      const { body } = await management.send(method, lost, { status: 404, ...(raw ? { raw } : {}) });
      expect(body).toMatchObject({ resource_type: "project", resource_id: "proj_none" });
    },
  );

  test("is the management keys' alone", async () => {
    await api.get(path, 401);
  });
});

describe("a schema's body", () => {
  const schema = { properties: {} };
  const many = Object.fromEntries(
    Array.from({ length: 1001 }, (_, i) => [`p${i}`, { type: "string", optional: true }]),
  );
  test.each<[unknown, string]>([
    [{ schema }, "Payload must have required property 'name'"],
    [{ name: "a" }, "Payload must have required property 'schema'"],
    [{ name: "a", schema: {} }, "Property .schema should have required property 'properties'"],
    [{ name: "", schema }, "Property .name must NOT have fewer than 1 characters"],
    [{ name: "x".repeat(9000), schema }, "Property .name must NOT have more than 300 characters"],
    [{ name: 7, schema }, "Property .name must be string"],
    [
      { name: "a", schema: { properties: { p: { optional: true } } } },
      "Property .schema.properties.p should have required property 'type'",
    ],
    [
      { name: "a", schema: { properties: { p: { type: "string" } } } },
      "Property .schema.properties.p should have required property 'optional'",
    ],
    [
      { name: "a", schema: { properties: { p: { type: "geopoint", optional: true } } } },
      "Property .schema.properties.p.type should be equal to one of the allowed values [string, number, date, datetime, boolean]",
    ],
    [
      { name: "a", schema: { properties: many } },
      "Property .schema.properties must NOT have more than 1000 properties",
    ],
  ])("%.80j is refused", async (sent, details) => {
    expect((await management.post(path, sent, 400)).body).toMatchObject({ key: "invalid_payload", details });
  });

  test("may not grow beyond a thousand properties by changes either", async () => {
    const [last, ...first] = Object.entries(many);
    const made = { name: "large", schema: { properties: Object.fromEntries(first) } };
    const { id } = (await management.post(path, made, 200)).body;
    await management.put(`${path}/${id}`, { schema: { properties: Object.fromEntries([last!]) } }, 400);
  });
});
