import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";

const { api: own, clock, management, project, anotherProject, runDue } = await startService();
const discount = { type: "AMOUNT", amount_off: 100 };
const circle = (center: string, radius: string) => ({
  type: "circle",
  format: "distance",
  distance: { center, radius },
});
const warsaw = circle("geo:52.23,21.01", "10 km");
const berlin = circle("geo:52.52,13.40", "10 km");
const square = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
  [0, 0],
];
const park = { type: "polygon", format: "geojson", geojson: { type: "Polygon", coordinates: [square] } };

const at = (project_id: string, id = "") =>
  `/management/v1/projects/${project_id}/locations${id === "" ? "" : `/${id}`}`;
const aLocation = async (shape: object, name = "place", project_id = project.id) =>
  (await management.post(at(project_id), { name, shape }, 200)).body;

describe("a location", () => {
  test("is made and changed by the organization, and read by the project's key", async () => {
    const made = await aLocation(park, "Park");
    expect(made).toEqual({
      id: made.id,
      object: "location",
      name: "Park",
      shape: park,
      created_at: "2026-03-02T10:00:00.000Z",
      updated_at: null,
    });
    expect(made.id).toMatch(/^loc_/);
    expect((await own.get(`/v1/locations/${made.id}`, 200)).body).toEqual(made);
    clock.advance({ minutes: 1 });
    const renamed = await management.put(at(project.id, made.id), { name: "Garden" }, 200);
    expect(renamed.body).toEqual({ ...made, name: "Garden", updated_at: "2026-03-02T10:01:00.000Z" });
    const listed = (await own.get("/v1/locations", 200)).body;
    expect(listed).toEqual({ object: "list", data_ref: "data", data: [renamed.body], total: 1, has_more: false });
    await management.delete(at(project.id, made.id), 204);
    const { body } = await own.get(`/v1/locations/${made.id}`, 404);
    expect(body).toMatchObject({ key: "not_found", resource_type: "location", resource_id: made.id });
    await management.delete(at(project.id, made.id), 404);
    await management.put(at(project.id, made.id), { name: "x" }, 404);
  });

  test("is the project's own", async () => {
    const other = await anotherProject();
    const made = await aLocation(park);
    await other.api.get(`/v1/locations/${made.id}`, 404);
    expect((await other.api.get("/v1/locations", 200)).body.data).toEqual([]);
    await management.put(at(other.id, made.id), { name: "theirs" }, 404);
    await management.delete(at(other.id, made.id), 404);
    await management.post(at("proj_nobody"), { name: "x", shape: park }, 404);
  });

  const ring = (coordinates: unknown) => ({ ...park, geojson: { type: "Polygon", coordinates } });
  test.each<[string, object, string]>([
    ["no type", {}, ".shape.type must be circle or polygon"],
    ["a circle without its format", { type: "circle" }, ".shape.format must be distance"],
    ["a middle that is no point", circle("52", "1 km"), ".shape.distance.center must be a point"],
    ["a middle off the globe", circle("geo:99,10", "1 km"), ".shape.distance.center must be a point"],
    ["a radius in leagues", circle("geo:1,2", "3 leagues"), ".shape.distance.radius must be a length"],
    ["no radius at all", circle("geo:1,2", "0 km"), ".shape.distance.radius must be a length"],
    ["a point for a polygon", ring([[1, 2]]), ".shape.geojson.coordinates[0] must be a ring"],
    ["a ring that stays open", ring([square.slice(0, 4)]), ".shape.geojson.coordinates[0] must be a ring"],
    [
      "a hole off the globe",
      ring([
        square,
        [
          [500, 0],
          [1, 1],
          [2, 2],
          [500, 0],
        ],
      ]),
      ".coordinates[1] must be a ring",
    ],
    [
      "a second polygon without rings",
      { ...park, geojson: { type: "MultiPolygon", coordinates: [[square], []] } },
      ".shape.geojson.coordinates[1] must hold a ring",
    ],
    [
      "many polygons of nothing",
      { ...park, geojson: { type: "MultiPolygon", coordinates: [] } },
      "must hold a polygon",
    ],
  ])("%s is refused by its place", async (_name, shape, said) => {
    const { body } = await management.post(at(project.id), { name: "wrong", shape }, 400);
    expect(body).toMatchObject({ key: "invalid_payload", details: expect.stringContaining(said) });
  });

  test("may not be larger together with the others than a project's shapes may", async () => {
    const { id } = await anotherProject();
    const many = Array.from({ length: 12_000 }, (_, i) => [i / 1_000, (i % 90) + 0.123456]);
    const large = { ...park, geojson: { type: "Polygon", coordinates: [[...many, many[0]]] } };
    const answers = [];
    for (let i = 0; i < 30; i += 1) {
      answers.push(await management.post(at(id), { name: `${i}`, shape: large }));
      if (answers.at(-1)?.status !== 200) break;
    }
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.at(-1)).toMatchObject({
      status: 400,
      body: { details: "The shapes of a project's locations must not be larger than 4194304 bytes" },
    });
  });
});

describe("a rule that asks where somebody is", () => {
  const isIn = (operator: string, ids: string[]) => ({
    junction: "and",
    "metadata.home": { conditions: { [operator]: ids } },
  });
  const homes = { inside: "geo:52.231,21.012", outside: "geo:52.52,13.40" };

  async function aVoucherIn(filter: object, name: string) {
    const segment = (await own.post("/v1/segments", { name, type: "passive", filter }, 200)).body;
    const rules = { "1": { name: "customer.segment", conditions: { $is: [segment.id] } }, logic: "1" };
    const rule = (await own.post("/v1/validation-rules", { name, rules }, 200)).body;
    await own.post(`/v1/vouchers/${name}`, { discount, validation_rules: [rule.id] }, 200);
    return segment;
  }
  const isGiven = async (code: string, metadata: object) => {
    const redeemables = [{ object: "voucher", id: code }];
    const customer = { source_id: `somebody-${JSON.stringify(metadata).length}-${code}`, metadata };
    const { body } = await own.post("/v1/validations", { redeemables, customer, order: { amount: 1_000 } }, 200);
    return body.valid;
  };

  test("holds inside the location, sees it move with the next request, and holds nowhere once it is gone", async () => {
    const { id } = await aLocation(warsaw);
    await aVoucherIn(isIn("$in_location", [id]), "WARSAW");
    expect(await isGiven("WARSAW", { home: homes.inside })).toBe(true);
    expect(await isGiven("WARSAW", { home: homes.outside })).toBe(false);
    expect(await isGiven("WARSAW", {})).toBe(false);
    await management.put(at(project.id, id), { shape: berlin }, 200);
    expect(await isGiven("WARSAW", { home: homes.inside })).toBe(false);
    expect(await isGiven("WARSAW", { home: homes.outside })).toBe(true);
    await management.delete(at(project.id, id), 204);
    expect(await isGiven("WARSAW", { home: homes.outside })).toBe(false);
  });

  test("outside holds for whoever is elsewhere, and for nobody whose place is not known", async () => {
    const { id } = await aLocation(warsaw);
    await aVoucherIn(isIn("$not_in_location", [id]), "AWAY");
    expect(await isGiven("AWAY", { home: homes.outside })).toBe(true);
    expect(await isGiven("AWAY", { home: homes.inside })).toBe(false);
    expect(await isGiven("AWAY", {})).toBe(false);
  });

  test("shows the same in the list of a customer's segments and of a segment's customers", async () => {
    const { id } = await aLocation(warsaw);
    const filter = isIn("$in_location", [id]);
    const { body: segment } = await own.post("/v1/segments", { name: "in town", type: "passive", filter }, 200);
    for (const [source_id, home] of Object.entries(homes))
      await own.post("/v1/customers", { source_id, metadata: { home } }, 200);
    const segmentsOf = async (source_id: string) =>
      (await own.get(`/v1/customers/${source_id}/segments`, 200)).body.data.map(({ id }: { id: string }) => id);
    expect(await segmentsOf("inside")).toContain(segment.id);
    expect(await segmentsOf("outside")).not.toContain(segment.id);
    const { body } = await own.get(`/v1/customers?segment_id=${segment.id}`, 200);
    expect(body.customers.map(({ source_id }: { source_id: string }) => source_id)).toContain("inside");
    expect(body.customers.map(({ source_id }: { source_id: string }) => source_id)).not.toContain("outside");
  });

  test("moves members of an auto-update segment when the location moves", async () => {
    const { api, id: project_id } = await anotherProject();
    const { id } = await aLocation(warsaw, "town", project_id);
    const { body: segment } = await api.post(
      "/v1/segments",
      { name: "kept", type: "auto-update", filter: isIn("$in_location", [id]) },
      200,
    );
    await api.post("/v1/segments", { name: "other", type: "auto-update", filter: isIn("$is", ["x"]) }, 200);
    for (const [source_id, home] of Object.entries(homes))
      await api.post("/v1/customers", { source_id, metadata: { home } }, 200);
    const members = async () => {
      await runDue();
      const { body } = await api.get(`/v1/customers?segment_id=${segment.id}`, 200);
      return body.customers.map(({ source_id }: { source_id: string }) => source_id);
    };
    expect(await members()).toEqual(["inside"]);
    clock.advance({ minutes: 1 });
    await management.put(at(project_id, id), { shape: berlin }, 200);
    expect(await members()).toEqual(["outside"]);
    clock.advance({ minutes: 1 });
    await management.delete(at(project_id, id), 204);
    expect(await members()).toEqual([]);
  });

  test("asks for products too: a collection holds what is sold there", async () => {
    const { id } = await aLocation(warsaw);
    const filter = { junction: "and", "metadata.shelf": { conditions: { $in_location: [id] } } };
    const { body: collection } = await own.post(
      "/v1/product-collections",
      { name: "near", type: "AUTO_UPDATE", filter },
      200,
    );
    await own.post("/v1/products", { source_id: "near", name: "near", metadata: { shelf: homes.inside } }, 200);
    await own.post("/v1/products", { source_id: "far", name: "far", metadata: { shelf: homes.outside } }, 200);
    const { body } = await own.get(`/v1/product-collections/${collection.id}/products`, 200);
    expect(body.data.map(({ source_id }: { source_id: string }) => source_id)).toEqual(["near"]);
    const applicable_to = { included: [{ object: "products_collection", id: collection.id }] };
    const { body: rule } = await own.post("/v1/validation-rules", { name: "near", rules: {}, applicable_to }, 200);
    const off = { type: "AMOUNT", amount_off: 10, effect: "APPLY_TO_ITEMS" };
    await own.post("/v1/vouchers/NEAR", { discount: off, validation_rules: [rule.id] }, 200);
    const given = async (source_id: string) => {
      const items = [{ source_id, related_object: "product", quantity: 1, price: 100 }];
      const redeemables = [{ object: "voucher", id: "NEAR" }];
      const { body } = await own.post("/v1/validations", { redeemables, order: { items } }, 200);
      return body.order?.total_discount_amount ?? 0;
    };
    expect([await given("near"), await given("far")]).toEqual([10, 0]);
  });
});
