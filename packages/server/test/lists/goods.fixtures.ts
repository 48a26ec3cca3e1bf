import {
  type AskedList,
  after,
  by_creation,
  by_dates,
  filter,
  from_start_to_end,
  limited,
  type MakeList,
  minute,
  newest_first,
  ordered,
  paged,
  refused,
  three,
  unordered,
} from "./asked.fixtures.js";

const not_of_goods = unordered("type", "code", "campaign", "category");

export const products: MakeList = async (service, { api }) => {
  const made = await three(service, (i) => newProduct(api, `product-${i}`));
  service.clock.set(minute(4));
  await api.put(`/v1/products/${made[1]}`, { price: 200 }, 200);
  const asked = { ...paged(100), ...after(made[2]), ...by_dates, ...not_of_goods, ...from_start_to_end };
  return { api, url: "/v1/products", made, first: newest_first, asked };
};

export const skus: MakeList = async (service, { api }) => {
  const product = await newProduct(api, "with skus");
  const url = `/v1/products/${product}/skus`;
  const made = await three(service, async (i) => (await api.post(url, { source_id: `sku-${i}` }, 200)).body.id);
  service.clock.set(minute(4));
  await api.put(`${url}/${made[1]}`, { price: 200 }, 200);
  const asked = { ...paged(100), ...after(made[2]), ...by_dates, ...not_of_goods, ...from_start_to_end };
  return { api, url, made, first: newest_first, asked };
};

export const collections: MakeList = async (service, { api }) => {
  const product = await newProduct(api, "in a collection");
  const made = await three(service, (i) => newCollection(api, `collection ${i}`, [product]));
  const asked = {
    ...paged(100),
    ...after(made[2]),
    ...by_creation,
    // Nothing changes a collection.
    "order=updated_at": [0, 1, 2],
    "order=-updated_at": [2, 1, 0],
    ...not_of_goods,
  };
  return { api, url: "/v1/product-collections", made, first: newest_first, asked };
};

export const collectionMembers: MakeList = async (service, { api }) => {
  const made = await three(service, (i) => newProduct(api, `member-${i}`));
  const collection = await newCollection(api, "all three", made);
  service.clock.set(minute(4));
  await api.put(`/v1/products/${made[1]}`, { price: 200 }, 200);
  const asked = {
    ...paged(100),
    ...by_dates,
    ...not_of_goods,
    [`starting_after=${minute(3)}`]: [1, 0],
    [`starting_after=${minute(1)}&order=created_at`]: [1, 2],
    [`starting_after=${minute(4)}&order=-updated_at`]: [2, 0],
    "starting_after=soon": refused("starting_after"),
  };
  return { api, url: `/v1/product-collections/${collection}/products`, made, first: newest_first, asked };
};

export const orders: MakeList = async (service, { api }) => {
  const made = await three(service, async (i) => (await api.post("/v1/orders", { source_id: `o-${i}` }, 200)).body.id);
  service.clock.set(minute(4));
  await api.put(`/v1/orders/${made[1]}`, { amount: 100 }, 200);
  const asked = {
    ...by_dates,
    "limit=1": [0],
    "limit=0": refused("limit"),
    "limit=1&page=2": [1],
    "page=100": [],
    "page=101": refused("page"),
    [`starting_after_id=${made[0]}`]: [1, 2],
  };
  return { api, url: "/v1/orders", made, first: [0, 1, 2], asked };
};

export const categories: MakeList = async (service, { api }) => {
  const made = await three(
    service,
    async (i) => (await api.post("/v1/categories", { name: `category ${i}`, hierarchy: i }, 200)).body.id,
  );
  return { api, url: "/v1/categories", made, first: newest_first, asked: {} };
};

export const asyncActions: MakeList = async (service, { api }) => {
  const made = await three(
    service,
    async (i) =>
      (await api.post("/v1/products/metadata/async", { source_ids: [`p-${i}`], metadata: {} }, 202)).body
        .async_action_id,
  );
  const asked = { ...limited, [`end_date=${minute(2)}`]: [0], "end_date=soon": refused("end_date") };
  return { api, url: "/v1/async-actions", made, first: newest_first, asked };
};

/** A voucher, a SKU and a product, in the order in which they were deleted. */
export const bin: MakeList = async (service, { api }) => {
  const discount = { type: "AMOUNT", amount_off: 100 };
  const voucher = (await api.post("/v1/vouchers/IN-BIN", { type: "DISCOUNT_VOUCHER", discount }, 200)).body.id;
  const product = await newProduct(api, "bin-product");
  const sku = (await api.post("/v1/products/bin-product/skus", { source_id: "bin-sku" }, 200)).body.id;
  const ids = [voucher, sku, product];
  const paths = ["/v1/vouchers/IN-BIN", "/v1/products/bin-product/skus/bin-sku", "/v1/products/bin-product"];
  const made = await three(service, async (i) => {
    await api.delete(paths[i] ?? "", 204);
    return (await api.get("/v1/trash-bin?limit=1", 200)).body.data[0].id;
  });
  const of_goods = `${filter("resource_type", "$is", "sku")}&${filter("resource_name", "$starts_with", "IN")}`;
  const asked = {
    ...limited,
    ...after(made[2]),
    ...ordered("id", [0, 1, 2]),
    [filter("id", "$in", made[1])]: [1],
    [filter("resource_type", "$is_not", "sku")]: [2, 0],
    [filter("resource_name", "$starts_with", "bin")]: [2, 1],
    [filter("resource_id", "$is", ids[1])]: [1],
    [`filters[junction]=or&${of_goods}`]: [1, 0],
    [of_goods]: [],
  };
  return { api, url: "/v1/trash-bin", made, first: newest_first, asked };
};

/** The middle one is changed at the end. */
export const locations: MakeList = async (service, { id, api }) => {
  const at = `/management/v1/projects/${id}/locations`;
  const shape = { type: "circle", format: "distance", distance: { center: "geo:1,2", radius: "1 km" } };
  const named = (i: number) => ({ name: `place ${i}`, shape });
  const made = await three(service, async (i) => (await service.management.post(at, named(i), 200)).body.id);
  service.clock.set(minute(4));
  await service.management.put(`${at}/${made[1]}`, { name: "moved" }, 200);
  const asked = {
    ...limited,
    ...by_dates,
    [`end_date=${minute(3)}`]: [1, 0],
    [`end_date=${minute(4)}&order=-updated_at`]: [2, 0],
    "end_date=soon": refused("end_date"),
    [filter("name", "$starts_with", "place")]: [2, 0],
    [filter("created_at", "$before", minute(2))]: [0],
    [filter("updated_at", "$has_value", "true")]: [1],
  };
  return { api, url: "/v1/locations", made, first: newest_first, asked };
};

/** A project has one at most. */
export const brands: MakeList = async ({ management }, { id }) => {
  const url = `/management/v1/projects/${id}/branding`;
  const address = { street: "s", city: "c", postal: null, country: "p" };
  const sent = { brand: { name: "b" }, address, contact: { email: "a@b.example" } };
  const made = [(await management.post(url, sent, 200)).body.id];
  return { api: management, url, made, first: [0], asked: {} };
};

type Api = AskedList["api"];

const newProduct = async (api: Api, source_id: string): Promise<string> =>
  (await api.post("/v1/products", { source_id, name: source_id, price: 100 }, 200)).body.id;

async function newCollection(api: Api, name: string, ids: readonly string[]): Promise<string> {
  const members = ids.map((id) => ({ id, object: "product" }));
  return (await api.post("/v1/product-collections", { name, type: "STATIC", products: members }, 200)).body.id;
}
