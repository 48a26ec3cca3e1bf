import { exportsOn } from "../../src/features/exports/export.fixtures.js";
import { importsOn } from "../../src/features/imports/import.fixtures.js";
import { csvText } from "../../src/platform/csv/write.js";
import type { TestProject, TestService } from "../harness/service.js";

// biome-ignore lint/suspicious/noExplicitAny: objects of every kind, as the API shows them and takes them again.
type Shown = any;

const id_in_text = /\b[a-z]+_[0-9a-z]{20,}\b/g;

/** Ids of one project, and those of the same things in another. */
export class Twins {
  readonly #of = new Map<string, string>();

  put(from: string, into: string): void {
    this.#of.set(from, into);
  }

  /** The same with the other project's ids in it. */
  in<T>(value: T): T {
    if (typeof value === "string") return value.replace(id_in_text, (id) => this.#of.get(id) ?? id) as T;
    if (Array.isArray(value)) return value.map((one) => this.in(one)) as T;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.in(one)])) as T;
  }
}

/** Those fields of what the API shows that its operations take. */
const taken = (shown: Shown, fields: readonly string[]): Shown =>
  Object.fromEntries(
    fields.flatMap((name) => (shown[name] === null || shown[name] === undefined ? [] : [[name, shown[name]]])),
  );

/**
 * Brings what is in one project into another, empty one, by nothing but the API: files where there are files, lists and the
 * operations that make things where there are none. What cannot go that way is said in docs/roadmap.md.
 */
export async function copyProject(service: TestService, from: TestProject, into: TestProject): Promise<Twins> {
  const { management } = service;
  const twins = new Twins();
  const files = exportsOn(service, from);
  const imports = importsOn(service);
  const read = async (path: string, key = "data"): Promise<Shown[]> =>
    (await from.api.get(`${path}${path.includes("?") ? "&" : "?"}limit=100`, 200)).body[key];
  const make = async (path: string, shown: Shown, fields: readonly string[], more: object = {}) => {
    const { body } = await into.api.post(path, twins.in({ ...taken(shown, fields), ...more }), 200);
    twins.put(shown.id, body.id);
    return body;
  };
  const ended = async (answer: Awaited<ReturnType<typeof imports.send>>) => {
    const action = await imports.ended(into, answer);
    if (action.result?.failed_count !== 0) throw new Error(`an import refused rows: ${JSON.stringify(action)}`);
  };
  const file = async (path: string, lines: readonly string[]) => {
    const { status, body } = await imports.send(into.api, path, lines.join("\n"));
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(body)}`);
    await ended({ status, body, headers: new Headers() });
  };
  const exported = async (object: string, fields: string[]) =>
    files.linesOf(await files.ask(object, { fields, order: "created_at" }));

  async function settings() {
    for (const schema of (await management.get(`/management/v1/projects/${from.id}/metadata-schemas`, 200)).body.data) {
      const sent = taken(schema, ["related_object", "properties", "allow_defined_only"]);
      await management.post(`/management/v1/projects/${into.id}/metadata-schemas`, sent, 200);
    }
    for (const category of await read("/v1/categories")) await make("/v1/categories", category, ["name", "hierarchy"]);
    const stacking = (project: TestProject) => `/management/v1/projects/${project.id}/stacking-rules`;
    for (const shown of (await management.get(stacking(from), 200)).body.data) {
      const { id: _id, created_at: _made, updated_at: _changed, ...sent } = shown;
      await management.post(stacking(into), twins.in(sent), 200);
    }
  }

  async function sold() {
    const products = ["name", "source_id", "price", "attributes", "image_url", "metadata"];
    await file("/v1/products/importCSV", await exported("product", products.slice(0, 5)));
    const all = await read("/v1/products", "products");
    await bulk(
      "/v1/products/bulk/async",
      all.map((one) => taken(one, ["source_id", "metadata"])),
    );
    for (const { id, source_id } of all) twins.put(id, (await into.api.get(`/v1/products/${source_id}`, 200)).body.id);
    const [titles = "", ...skus] = await exported("sku", [
      "product_id",
      "sku",
      "source_id",
      "price",
      "currency",
      "attributes",
    ]);
    await file("/v1/skus/importCSV", [titles, ...skus.map((row) => row.replace(/^[^,]+/, (id) => twins.in(id)))]);
    for (const { id } of all) {
      for (const sku of await read(`/v1/products/${id}/skus`, "skus")) {
        const copied = (await into.api.get(`/v1/skus/${sku.source_id}`, 200)).body;
        twins.put(sku.id, copied.id);
        const path = `/v1/products/${copied.product_id}/skus/${copied.id}`;
        await into.api.put(path, taken(sku, ["metadata", "image_url"]), 200);
      }
    }
  }

  async function bulk(path: string, entries: readonly object[]) {
    await imports.ended(into, await into.api.post(path, entries, 202));
  }

  async function people() {
    const address = ["line_1", "line_2", "postal_code", "city", "state", "country"].map((field) => `address_${field}`);
    const fields = ["source_id", "name", "email", "phone", "birthdate", "description", ...address, "metadata"];
    await file("/v1/customers/importCSV", await exported("customer", fields));
    for (const { id, source_id } of await read("/v1/customers", "customers"))
      twins.put(id, (await into.api.get(`/v1/customers/${source_id}`, 200)).body.id);
  }

  async function groups() {
    const members = new Map<string, string[]>();
    for (const { id } of await read("/v1/customers", "customers"))
      for (const segment of await read(`/v1/customers/${id}/segments`))
        members.set(segment.id, [...(members.get(segment.id) ?? []), id]);
    for (const segment of await read("/v1/segments")) {
      const more = segment.type === "static" ? { customers: members.get(segment.id) ?? [] } : {};
      await make("/v1/segments", segment, ["name", "type", "filter"], more);
    }
    for (const collection of await read("/v1/product-collections"))
      await make("/v1/product-collections", collection, ["name", "type", "products", "filter"]);
    for (const rule of await read("/v1/validation-rules"))
      await make("/v1/validation-rules", rule, [
        "name",
        "rules",
        "bundle_rules",
        "applicable_to",
        "error",
        "type",
        "context_type",
      ]);
  }

  const window = ["start_date", "expiration_date", "validity_timeframe", "validity_day_of_week", "validity_hours"];

  async function campaigns() {
    const all = await read("/v1/campaigns?order=created_at", "campaigns");
    for (const campaign of all) {
      const fields = [
        ...window,
        "name",
        "description",
        "campaign_type",
        "type",
        "auto_join",
        "join_once",
        "metadata",
        "category_id",
      ];
      const more = ["use_voucher_metadata_schema", "activity_duration_after_publishing", "loyalty_tiers_expiration"];
      const { id, campaign_type, type, voucher } = campaign;
      const of_kind =
        campaign_type === "PROMOTION" ? { promotion: { tiers: [] } } : { voucher: taken(voucher, voucher_fields) };
      const copied = await make("/v1/campaigns", campaign, [...fields, ...more], of_kind);
      if (campaign_type === "PROMOTION") await tiers(id, copied.id);
      else if (type === "AUTO_UPDATE") await codes(id, copied.id);
      if (!campaign.active) await into.api.post(`/v1/campaigns/${copied.id}/disable`, {}, 200);
    }
  }

  const voucher_fields = ["type", "discount", "gift", "loyalty_card", "redemption", "code_config", "is_referral_code"];

  async function tiers(from_id: string, into_id: string) {
    for (const tier of await read(`/v1/promotions/${from_id}/tiers`, "tiers"))
      await make(`/v1/promotions/${into_id}/tiers`, tier, [
        ...window,
        "name",
        "action",
        "active",
        "banner",
        "metadata",
        "hierarchy",
        "category_id",
      ]);
    for (const stack of await read(`/v1/promotions/${from_id}/stacks`))
      await make(`/v1/promotions/${into_id}/stacks`, stack, ["name", "tiers", "category_id"]);
  }

  /** A file, since it alone says what was used up. A card has what is left on it, and a credit that was spent is not told apart. */
  async function codes(from_id: string, into_id: string) {
    const all = await read(`/v1/vouchers?campaign_id=${from_id}`, "vouchers");
    const titles = [
      "Code",
      "Active",
      "Category",
      "Redeemed Quantity",
      "Gift Amount",
      "Loyalty Points",
      "shop",
      "weight",
    ];
    const rows = all.map((one) => [
      ...[one.code, String(one.active), one.categories[0]?.name ?? null, one.redemption.redeemed_quantity],
      one.gift ? one.gift.balance / 100 : null,
      one.loyalty_card?.balance ?? null,
      ...[one.metadata.shop ?? null, one.metadata.weight ?? null],
    ]);
    await file(
      `/v1/campaigns/${into_id}/importCSV`,
      csvText([titles, ...rows], "keep")
        .trimEnd()
        .split("\n"),
    );
  }

  async function vouchers() {
    const all = (await read("/v1/vouchers", "vouchers")).filter(({ campaign_id }) => campaign_id === null);
    const fields = [...window, "code", "type", "discount", "gift", "active", "additional_info", "metadata"];
    const sent = all.map((one) => ({
      ...taken(one, fields),
      // The import wants it said, where making a voucher means this one.
      ...(one.discount ? { discount: { effect: "APPLY_TO_ORDER", ...one.discount } } : {}),
      ...(one.gift ? { gift: { ...one.gift, amount: one.gift.balance, balance: undefined } } : {}),
      ...(one.category_id ? { category: one.category_id } : {}),
      redemption: { quantity: one.redemption.quantity },
    }));
    const used = sent.filter((_, i) => all[i].redemption.redeemed_quantity > 0 && !all[i].gift);
    const others = sent.filter((one) => !used.includes(one));
    await ended(await into.api.post("/v1/vouchers/import", twins.in(others), 202));
    const titles = "Code,Voucher Type,Value,Discount Type,Redemption Limit,Redeemed Quantity,shop,weight";
    const rows = used.map(({ code, discount, redemption, metadata }) => {
      const { redeemed_quantity } = all.find((one) => one.code === code).redemption;
      const value = discount.type === "AMOUNT" ? discount.amount_off / 100 : discount.percent_off;
      return [
        code,
        "DISCOUNT_VOUCHER",
        value,
        discount.type,
        redemption.quantity,
        redeemed_quantity,
        metadata.shop,
        metadata.weight,
      ];
    });
    await file("/v1/vouchers/importCSV", [titles, ...csvText(rows, "keep").trimEnd().split("\n")]);
  }

  async function links() {
    for (const { id, code } of await read("/v1/vouchers", "vouchers"))
      twins.put(id, (await into.api.get(`/v1/vouchers/${code}`, 200)).body.id);
    for (const { rule_id, related_object_id, related_object_type } of await read("/v1/validation-rules-assignments")) {
      const path = `/v1/validation-rules/${twins.in(rule_id)}/assignments`;
      await into.api.post(path, twins.in({ related_object_id, related_object_type }), 200);
    }
    for (const { customer, voucher } of await read("/v1/publications?order=created_at", "publications"))
      await into.api.post(
        "/v1/publications",
        { voucher: voucher.code, customer: { source_id: customer.source_id } },
        200,
      );
  }

  async function loyalty() {
    for (const reward of await read("/v1/rewards"))
      await make("/v1/rewards", reward, ["name", "type", "stock", "attributes", "metadata", "parameters"]);
    for (const { id } of await read("/v1/loyalties", "campaigns")) {
      const assigned = await read(`/v1/loyalties/${id}/rewards`);
      const rewards = assigned.map(({ reward_id, parameters }) => ({ reward: reward_id, parameters }));
      if (rewards.length > 0) await into.api.post(`/v1/loyalties/${twins.in(id)}/rewards`, twins.in(rewards), 200);
    }
  }

  async function orders() {
    const fields = ["source_id", "status", "amount", "metadata", "items"];
    const sent = (await read("/v1/orders", "orders")).map((one) => ({
      ...taken(one, fields),
      customer: { id: one.customer_id },
    }));
    await ended(await into.api.post("/v1/orders/import", twins.in(sent), 200));
  }

  for (const step of [settings, sold, people, groups, campaigns, vouchers, links, loyalty, orders]) await step();
  await service.runDue();
  return twins;
}
