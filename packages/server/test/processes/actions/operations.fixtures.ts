import { async_action_types } from "../../../src/features/async-actions/async-action.js";
import type { Workplace } from "./projects.fixtures.js";

/** Something that is done at length: what must be there, and the call that starts it. Both say the same in each project. */
interface Operation {
  name: string;
  prepare?(place: Workplace): Promise<unknown>;
  start(place: Workplace): Promise<unknown>;
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const listOf = <T>(count: number, one: (i: number) => T) => numbers(count).map(one);
const amount = { type: "AMOUNT", amount_off: 100 };

/** Some slices at the least, each of as many rows as a first slice takes. */
const rowsOf = (slice: number, scale: number) => 2 * slice * scale;

async function aCampaign({ api }: Workplace, voucher: object = { discount: amount }, more: object = {}) {
  return (await api.post("/v1/campaigns", { name: "Autumn", voucher, ...more }, 200)).body.id as string;
}

/** A campaign that has so many codes already. */
async function aFullCampaign(place: Workplace, count: number): Promise<void> {
  await aCampaign(place);
  await place.file("/v1/campaigns/Autumn/importCSV", ["Code,old,kept", ...listOf(count, (i) => `A-${i},${i},${i}`)]);
}

const customersFile = ({ file }: Workplace, count: number) =>
  file("/v1/customers/importCSV", ["Source id,Name,old,kept", ...listOf(count, (i) => `c-${i},Number ${i},${i},${i}`)]);
const productsFile = ({ file }: Workplace, count: number) =>
  file("/v1/products/importCSV", ["Name,Source id,Price,old", ...listOf(count, (i) => `Tea ${i},p-${i},1.50,${i}`)]);
const ordersOf = (count: number) =>
  listOf(count, (i) => ({
    source_id: `o-${i}`,
    amount: 100 * i,
    status: i % 3 ? "PAID" : "CREATED",
    customer: { source_id: `c-${i % 50}` },
    metadata: { old: i, kept: i },
  }));

const purge = (object: string) => (place: Workplace) =>
  place.browser.post(`/dashboard/v1/metadata-schemas/${object}/purges`, { key: "old" }, 202);
const exporting = (exported_object: string) => (place: Workplace) =>
  place.api.post("/v1/exports", { exported_object, parameters: { order: "created_at" } }, 200);

/** What is done to the vouchers of campaigns, and to vouchers alone. */
const ofVouchers = (scale: number): Record<string, Omit<Operation, "name">> => {
  const imported = rowsOf(500, scale);
  const campaign = rowsOf(2_000, scale);
  const bulk = rowsOf(200, scale);
  const cards = { type: "GIFT_VOUCHER", gift: { amount: 1_000 } };
  return {
    "CAMPAIGN.VOUCHERS_IMPORT": {
      prepare: (place) => aCampaign(place, cards),
      start: ({ api }) =>
        api.post(
          "/v1/campaigns/Autumn/import",
          listOf(imported, (i) => ({ code: `A-${i}`, ...(i % 7 ? {} : { gift: { amount: i } }), metadata: { i } })),
          202,
        ),
    },
    "CAMPAIGN.VOUCHERS_IMPORT_CSV": {
      prepare: async (place) => {
        await aCampaign(place, cards);
        await place.file("/v1/campaigns/Autumn/importCSV", ["Code", ...listOf(200, (i) => `A-${i * 3}`)]);
      },
      // Some are there, every tenth is refused, and every seventh brings a credit of its own.
      start: ({ file }) =>
        file("/v1/campaigns/Autumn/importCSV", [
          "Code,Gift Amount,shop",
          ...listOf(imported, (i) => `${i % 10 === 9 ? "" : `A-${i}`},${i % 7 ? "" : 5},${i}`),
        ]),
    },
    "CAMPAIGN.VOUCHERS_UPDATE": {
      prepare: (place) => aFullCampaign(place, campaign),
      start: ({ api }) =>
        api.put("/v1/campaigns/Autumn", {
          expiration_date: "2099-01-01T00:00:00Z",
          discount: { ...amount, amount_off: 7 },
        }),
    },
    "CAMPAIGN.VOUCHERS_DELETE": {
      prepare: (place) => aFullCampaign(place, campaign),
      start: ({ api }) => api.delete("/v1/campaigns/Autumn?force=true", 202),
    },
    "CAMPAIGN.VOUCHERS_DELETE into the bin": {
      prepare: (place) => aFullCampaign(place, campaign),
      start: ({ api }) => api.delete("/v1/campaigns/Autumn", 202),
    },
    "CAMPAIGN.VOUCHERS_GENERATE": {
      start: (place) =>
        aCampaign(
          place,
          { ...cards, code_config: { pattern: "RANDOM-########", length: 8 } },
          { vouchers_count: 2 * campaign },
        ),
    },
    "VOUCHERS.IMPORT": {
      start: ({ api }) =>
        api.post(
          "/v1/vouchers/import",
          listOf(imported, (i) => ({
            code: `V-${i}`,
            ...(i % 2 ? { type: "DISCOUNT_VOUCHER", discount: amount } : cards),
          })),
          202,
        ),
    },
    "VOUCHERS.IMPORT_CSV": {
      prepare: (place) =>
        place.file("/v1/vouchers/importCSV", [
          "Code,Voucher Type,Value",
          ...listOf(200, (i) => `V-${4 * i},GIFT_VOUCHER,${i}`),
        ]),
      start: ({ file }) =>
        file("/v1/vouchers/importCSV", [
          "Code,Voucher Type,Value,Discount Type,Redeemed Amount",
          ...listOf(imported, (i) =>
            i % 10 === 9
              ? `V-${i},NONE,1,,`
              : i % 2
                ? `V-${i},DISCOUNT_VOUCHER,2,AMOUNT,`
                : `V-${i},GIFT_VOUCHER,20,,1`,
          ),
        ]),
    },
    "VOUCHERS.BULK_UPDATE": {
      prepare: (place) => aFullCampaign(place, bulk),
      start: ({ api }) =>
        api.post(
          "/v1/vouchers/bulk/async",
          listOf(bulk, (i) => ({ code: i % 9 ? `A-${i}` : `none-${i}`, metadata: { new: i } })),
          202,
        ),
    },
    "VOUCHERS.METADATA_UPDATE": {
      prepare: (place) => aFullCampaign(place, bulk),
      start: ({ api }) =>
        api.post(
          "/v1/vouchers/metadata/async",
          { codes: listOf(bulk, (i) => (i % 9 ? `A-${i}` : `none-${i}`)), metadata: { new: 1 } },
          202,
        ),
    },
    "VOUCHERS.METADATA_KEY_PURGE": { prepare: (place) => aFullCampaign(place, bulk), start: purge("voucher") },
    "CAMPAIGNS.METADATA_KEY_PURGE": {
      // As many as there are: a purge of campaigns has one slice for them, and one to see that none is left.
      prepare: ({ api }) =>
        Promise.all(
          listOf(40, (i) =>
            api.post(
              "/v1/campaigns",
              { name: `C ${i}`, voucher: { discount: amount }, metadata: { old: i, kept: i } },
              200,
            ),
          ),
        ),
      start: purge("campaign"),
    },
  };
};

const ofCustomers = (scale: number): Record<string, Omit<Operation, "name">> => {
  const count = rowsOf(200, scale);
  return {
    "CUSTOMERS.IMPORT_CSV": {
      prepare: (place) => customersFile(place, 100),
      start: ({ file }) =>
        file("/v1/customers/importCSV", [
          "Source id,Name,Birthdate,shop",
          ...listOf(count, (i) => `c-${i},Nr ${i},${i % 10 === 9 ? "never" : "1990-01-02"},${i}`),
        ]),
    },
    "CUSTOMERS.BULK_UPDATE": {
      prepare: (place) => customersFile(place, 100),
      start: ({ api }) =>
        api.post(
          "/v1/customers/bulk/async",
          listOf(count, (i) => ({ source_id: `c-${i}`, name: `Nr ${i}`, metadata: { new: i } })),
          202,
        ),
    },
    "CUSTOMERS.METADATA_UPDATE": {
      prepare: (place) => customersFile(place, 100),
      start: ({ api }) =>
        api.post(
          "/v1/customers/metadata/async",
          { source_ids: listOf(count, (i) => `c-${i}`), metadata: { new: 1 } },
          202,
        ),
    },
    "CUSTOMERS.METADATA_KEY_PURGE": { prepare: (place) => customersFile(place, count), start: purge("customer") },
    "ORDERS.IMPORT": {
      start: ({ api }) => api.post("/v1/orders/import", ordersOf(rowsOf(30, scale)), 200),
    },
    "ORDERS.METADATA_KEY_PURGE": {
      prepare: ({ api }) => api.post("/v1/orders/import", ordersOf(count), 200),
      start: purge("order"),
    },
  };
};

const ofProducts = (scale: number): Record<string, Omit<Operation, "name">> => {
  const count = rowsOf(500, scale);
  const skus = rowsOf(100, scale);
  return {
    "PRODUCTS.IMPORT_CSV": {
      prepare: (place) => productsFile(place, 100),
      start: (place) => productsFile(place, rowsOf(200, scale)),
    },
    "SKUS.IMPORT_CSV": {
      prepare: (place) => productsFile(place, 50),
      start: ({ file }) =>
        file("/v1/skus/importCSV", [
          "Product ID,SKU,Source id,Price",
          ...listOf(skus, (i) => `${i % 10 === 9 ? "none" : `p-${i % 50}`},Box ${i},s-${i},2.50`),
        ]),
    },
    "PRODUCTS.BULK_UPDATE": {
      prepare: (place) => productsFile(place, 100),
      start: ({ api }) =>
        api.post(
          "/v1/products/bulk/async",
          listOf(count, (i) => ({ source_id: `p-${i}`, price: i, metadata: { new: i } })),
          202,
        ),
    },
    "PRODUCTS.METADATA_UPDATE": {
      prepare: (place) => productsFile(place, 100),
      start: ({ api }) =>
        api.post(
          "/v1/products/metadata/async",
          { source_ids: listOf(count, (i) => `p-${i}`), metadata: { new: 1 } },
          202,
        ),
    },
    "PRODUCTS.METADATA_KEY_PURGE": {
      prepare: (place) => productsFile(place, rowsOf(200, scale)),
      start: purge("product"),
    },
  };
};

const ofExports = (scale: number): Record<string, Omit<Operation, "name">> => {
  const count = rowsOf(500, scale);
  return {
    "EXPORTS.WRITE of vouchers": { prepare: (place) => aFullCampaign(place, count), start: exporting("voucher") },
    "EXPORTS.WRITE of customers": { prepare: (place) => customersFile(place, count), start: exporting("customer") },
  };
};

/** Every type there is, by its name; a type that is added without one is missed by the test. */
export function operationsOf(scale: number): Operation[] {
  const named = { ...ofVouchers(scale), ...ofCustomers(scale), ...ofProducts(scale), ...ofExports(scale) };
  return Object.entries(named).map(([name, operation]) => ({ name, ...operation }));
}

/** Types of which nothing is done here. */
export const typesWithout = (operations: readonly Operation[]): string[] =>
  [...async_action_types, "EXPORTS.WRITE"].filter((type) => !operations.some(({ name }) => name.startsWith(type)));
