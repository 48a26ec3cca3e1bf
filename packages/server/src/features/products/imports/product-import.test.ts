import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { importsOn } from "../../imports/import.fixtures.js";

const service = await startService();
const { api, project, management } = service;
const { send, ended } = importsOn(service);

const importing =
  (path: string, status: number) =>
  async (text: string, to: Pick<typeof service, "api"> = service) =>
    ended({ api: to.api }, await send(to.api, path, text, { status }));
const imported = importing("/v1/products/importCSV", 200);
const importedSkus = importing("/v1/skus/importCSV", 200);
const product = async (id: string) => (await api.get(`/v1/products/${id}`, 200)).body;
const sku = async (id: string) => (await api.get(`/v1/skus/${id}`, 200)).body;

describe("a file of products", () => {
  test("makes them, prices in major units, and other columns as metadata", async () => {
    const action = await imported(
      'Name,Source_id,Price,Attributes,Image_URL,Season\nShirt,p-shirt,19.90,"color,size",https://a.example/1.png,summer\nHat,p-hat,,"[""brim""]",,\n',
    );
    expect(action).toMatchObject({ type: "PRODUCTS.IMPORT_CSV", operation_status: "SUCCESS" });
    expect(action.result).toEqual({
      message: "2 product(s) imported successfully, 0 failed.",
      failed: [],
      done_count: 2,
      failed_count: 0,
    });
    expect(await product("p-shirt")).toMatchObject({
      name: "Shirt",
      price: 1990,
      attributes: ["color", "size"],
      image_url: "https://a.example/1.png",
      metadata: { Season: "summer" },
    });
    expect(await product("p-hat")).toMatchObject({ price: null, attributes: ["brim"], metadata: {} });
  });

  test("changes of those that are there the name alone, of those further up in the file too", async () => {
    await api.post("/v1/products", { source_id: "p-old", name: "Old", price: 500, metadata: { a: 1 } }, 200);
    const { result } = await imported("Name,Source_id,Price,b\nNew,p-old,7,x\nOne,p-twice,1,x\nTwo,p-twice,2,y");
    expect(result).toMatchObject({ done_count: 3, failed_count: 0 });
    expect(await product("p-old")).toMatchObject({ name: "New", price: 500, metadata: { a: 1 } });
    expect(await product("p-twice")).toMatchObject({ name: "Two", price: 100, metadata: { b: "x" } });
    await imported("Name,Source_id\nDelivery,5h1pp1ng");
    expect(await product("prod_5h1pp1ng")).toMatchObject({ name: "Delivery" });
  });

  test("leaves out rows that cannot be taken, and says why by number and source id", async () => {
    const other = await service.anotherProject();
    const size = { type: "number", array: false, optional: false };
    const schema = { related_object: "product", properties: { size } };
    await management.post(`/management/v1/projects/${other.id}/metadata-schemas`, schema, 200);
    await other.api.post("/v1/products", { source_id: "p-binned", metadata: { size: 1 } }, 200);
    await other.api.delete("/v1/products/p-binned", 204);
    const text =
      "Name,Source_id,Price,Attributes,size\nA,p-a,,,1\n,p-b,,,1\nC,p-c,much,,1\nD,p-d,-1,,1\nE,p-e,,,L\nF,p-binned,,,1\nG,p-g,,[1],1\nH,p-h,,[,1";
    const { result } = await imported(text, other);
    expect(result).toMatchObject({ done_count: 1, failed_count: 7 });
    expect(result.failed).toEqual([
      { source_id: "p-b", row: 2, reason: "Name is required" },
      { source_id: "p-c", row: 3, reason: "Column 'Price' must be an amount such as 45 or 45.50" },
      { source_id: "p-d", row: 4, reason: expect.stringContaining(".price") },
      { source_id: "p-e", row: 5, reason: "size: must be a number, property is required (actual value is 'L')" },
      { source_id: "p-binned", row: 6, reason: expect.stringContaining("p-binned") },
      { source_id: "p-g", row: 7, reason: expect.stringContaining(".attributes") },
      { source_id: "p-h", row: 8, reason: "Column 'attributes' must be a list of names, or JSON" },
    ]);
    expect((await other.api.get("/v1/products", 200)).body.total).toBe(1);
  });

  test("without a column for names is refused", async () => {
    const { body } = await send(api, "/v1/products/importCSV", "Source_id\nx", { status: 400 });
    expect(body).toMatchObject({ key: "invalid_payload", details: expect.stringContaining("has no column 'name'") });
  });
});

describe("a file of SKUs", () => {
  test("makes them under products that are named by id or source id", async () => {
    const { id } = (await api.post("/v1/products", { source_id: "s-shirt", attributes: ["color", "size"] }, 200)).body;
    const action = await importedSkus(
      `product_id,sku,source_id,price,currency,attributes,image_url,Shelf\ns-shirt,Blue,s-blue,12.5,EUR,"color: blue, size: L",,A1\n${id},Red,s-red,,,"{""color"":""red""}",,`,
    );
    expect(action).toMatchObject({ type: "SKUS.IMPORT_CSV", operation_status: "SUCCESS", result: { failed: [] } });
    expect(await sku("s-blue")).toMatchObject({
      ...{ product_id: id, sku: "Blue", price: 1250, currency: "EUR" },
      ...{ attributes: { color: "blue", size: "L" }, metadata: { Shelf: "A1" } },
    });
    expect(await sku("s-red")).toMatchObject({ product_id: id, price: null, attributes: { color: "red" } });
  });

  test("changes of those that are there name and price alone, where the row says them", async () => {
    await api.post("/v1/products", { source_id: "s-old" }, 200);
    await api.post("/v1/products/s-old/skus", { source_id: "s-one", sku: "One", price: 1, currency: "EUR" }, 200);
    await importedSkus("product_id,sku,source_id,price,currency\ns-old,Uno,s-one,,USD\ns-old,,s-one,2,");
    expect(await sku("s-one")).toMatchObject({ sku: "Uno", price: 200, currency: "EUR" });
  });

  test("leaves out those of unknown products, and those whose source id is another's", async () => {
    for (const source_id of ["s-a", "s-b"]) await api.post("/v1/products", { source_id }, 200);
    await api.post("/v1/products/s-a/skus", { source_id: "s-of-a" }, 200);
    const text = "product_id,source_id,attributes\ns-nobody,x,\ns-b,s-of-a,\n,y,\ns-b,z,blue\ns-b,fine,";
    const { result } = await importedSkus(text);
    expect(result).toMatchObject({ done_count: 1, failed_count: 4 });
    expect(result.failed).toEqual([
      { source_id: "x", row: 1, reason: "Cannot find product with id s-nobody" },
      { source_id: "s-of-a", row: 2, reason: expect.stringContaining("s-of-a") },
      { source_id: "y", row: 3, reason: "Product ID is required" },
      { source_id: "z", row: 4, reason: "Column 'attributes' must be pairs such as color: blue, size: L, or JSON" },
    ]);
  });

  test("of hundreds of products is done in slices", async () => {
    const names = Array.from({ length: 300 }, (_, i) => `many-${i}`);
    await imported(["Name,Source_id", ...names.map((name) => `${name},${name}`)].join("\n"));
    const { result } = await importedSkus(["product_id,source_id", ...names.map((n) => `${n},sku-${n}`)].join("\n"));
    expect(result).toMatchObject({ done_count: 300, failed_count: 0 });
    expect(await sku("sku-many-299")).toMatchObject({ product_id: (await product("many-299")).id });
  });
});

test("a file whose import ended leaves no rows behind", async () => {
  await imported("Name\nAlone");
  expect(await importsOn(service).pieces(project)).toBe(0);
});
