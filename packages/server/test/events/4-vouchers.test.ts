import { describe, expect, test } from "vitest";
import { importsOn } from "../../src/features/imports/import.fixtures.js";
import { aMember, aName, aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { aCampaign, publisherOn } from "../../src/features/publications/publication.fixtures.js";
import { aReferralShop } from "../../src/features/referrals/referral.fixtures.js";
import { startService } from "../harness/service.js";
import { listeningOn, told } from "./told.fixtures.js";

const service = await startService();
const { api } = service;
const { post, put } = api;
const { send } = importsOn(service);
const { toldOf } = listeningOn(service);
const { publish, refused } = publisherOn(api);

const discount = { type: "AMOUNT", amount_off: 100 };
const aCode = () => aName("C").replace(" ", "-");
const aVoucher = async (fields: object = { discount }) => (await post("/v1/vouchers", fields, 200)).body.code as string;
const aCustomer = async () => {
  const source_id = aName("customer");
  await post("/v1/customers", { source_id }, 200);
  return { source_id };
};

describe("vouchers that are made", () => {
  test("one by one are told, each", async () => {
    expect(await toldOf(() => aVoucher())).toEqual(["voucher.created"]);
    expect(await toldOf(() => post(`/v1/vouchers/${aCode()}`, { discount }, 200))).toEqual(["voucher.created"]);
  });

  test("of many at once are told to nobody, unless a file says so: then each, changed or not", async () => {
    const json = [{ code: aCode(), discount }];
    expect(await toldOf(() => post("/v1/vouchers/import", json, 202))).toEqual([]);
    const file = `Code,Voucher Type,Value\n${aCode()},GIFT_VOUCHER,1\n${aCode()},GIFT_VOUCHER,1`;
    const imported = (fields: Record<string, string>) => () =>
      send(api, "/v1/vouchers/importCSV", file, { fields, status: 202 });
    expect(await toldOf(imported({}))).toEqual([]);
    const both = (name: string) => [name, name];
    expect(await toldOf(imported({ webhooks_enabled: "true" }))).toEqual(both("voucher.updated"));
    const other = file.replace(/C-/g, "D-");
    expect(
      await toldOf(() =>
        send(api, "/v1/vouchers/importCSV", other, { fields: { webhooks_enable: "true" }, status: 202 }),
      ),
    ).toEqual(both("voucher.created"));
  });
});

describe("a voucher that is there", () => {
  test("is told to be changed, switched, and nothing where it was so before", async () => {
    const path = `/v1/vouchers/${await aVoucher()}`;
    expect(await toldOf(() => put(path, { metadata: { a: 1 } }, 200))).toEqual(["voucher.updated"]);
    expect(await toldOf(() => post(`${path}/disable`, undefined, 200))).toEqual(["voucher.disabled"]);
    expect(await toldOf(() => post(`${path}/disable`, undefined, 200))).toEqual([]);
    expect(await toldOf(() => post(`${path}/enable`, undefined, 200))).toEqual(["voucher.enabled"]);
  });

  test("is told to nobody where many are changed at once", async () => {
    const code = await aVoucher();
    expect(await toldOf(() => post("/v1/vouchers/bulk/async", [{ code, metadata: { a: 1 } }], 202))).toEqual([]);
    const all = { codes: [code], metadata: { b: 1 } };
    expect(await toldOf(() => post("/v1/vouchers/metadata/async", all, 202))).toEqual([]);
  });

  test("is told to be deleted, to its holder too", async () => {
    const [free, held] = [await aVoucher(), await aVoucher()];
    await publish({ voucher: held, customer: await aCustomer() });
    expect(await toldOf(() => api.delete(`/v1/vouchers/${free}`, 204))).toEqual(["voucher.deleted"]);
    expect(await toldOf(() => api.delete(`/v1/vouchers/${held}?force=true`, 204))).toEqual(
      told("customer.voucher.deleted", "voucher.deleted"),
    );
  });
});

const published = told("publication.succeeded", "voucher.published", "customer.publication.succeeded");

describe("a publication", () => {
  test("is told once, and each of its vouchers", async () => {
    const { name } = await aCampaign(api, { codes: [aCode(), aCode(), aCode()] });
    const customer = await aCustomer();
    expect(await toldOf(() => publish({ campaign: { name }, customer }))).toEqual(published);
    expect(await toldOf(() => publish({ campaign: { name, count: 2 }, customer }))).toEqual(
      told(...published, "voucher.published"),
    );
    expect(await toldOf(() => refused({ campaign: { name }, customer }))).toEqual(["customer.publication.failed"]);
  });

  test("of a code that is made for it is told with the code", async () => {
    const { name } = await aCampaign(api);
    const customer = await aCustomer();
    expect(await toldOf(() => publish({ campaign: { name }, customer }))).toEqual(
      told(...published, "voucher.created"),
    );
  });

  test("is told with a customer who is new, or of whom it says something new", async () => {
    const { name } = await aCampaign(api, { codes: [aCode(), aCode()] });
    const customer = { source_id: aName("customer") };
    expect(await toldOf(() => publish({ campaign: { name }, customer }))).toEqual(
      told(...published, "customer.created"),
    );
    expect(await toldOf(() => publish({ campaign: { name }, customer: { ...customer, name: "Ann" } }))).toEqual(
      told(...published, "customer.updated"),
    );
  });

  test("of a referral code is told with who refers by it; who comes by it is told as well", async () => {
    const shop = await aReferralShop(service, {}, service.project);
    const referrer = await shop.customer();
    let code = "";
    const give = async () => {
      code = (await shop.code(referrer)).code;
    };
    expect(await toldOf(give)).toEqual(told(...published, "voucher.created", "customer.holder.assignment.created"));
    const path = `/v1/referrals/members/${code}/holders`;
    let holder = "";
    const add = async () => {
      const { source_id } = await shop.customer();
      holder = (await post(path, { holders: [{ source_id }] }, 200)).body.holders[0].id;
    };
    expect(await toldOf(add)).toEqual(told("customer.created", "customer.holder.assignment.created"));
    expect(await toldOf(() => api.delete(`${path}/${holder}`, 204))).toEqual(["customer.holder.assignment.deleted"]);
  });

  test("of a loyalty card is told like any other, and with the tier that the card begins in", async () => {
    const program = await aProgram(service, {}, 50);
    await post(`/v1/loyalties/${program.id}/tiers`, [{ name: "Silver", points: { from: 50 } }], 200);
    const { source_id } = await aCustomer();
    expect(await toldOf(() => aMember(service, program, source_id))).toEqual(
      told(...published, "voucher.created", "customer.loyalty.tier.joined"),
    );
  });
});

describe("credits", () => {
  const balance = (code: string, amount: number) => () => post(`/v1/vouchers/${code}/balance`, { amount }, 200);
  const moved = told(["voucher.gift", "balance_added", "transaction.created"]);

  test("that are added or taken by hand are told in both ways, to the holder too", async () => {
    const { name } = await aCampaign(api, {
      fields: { campaign_type: "GIFT_VOUCHERS", voucher: { type: "GIFT_VOUCHER", gift: { amount: 500 } } },
    });
    const { code } = (await publish({ campaign: { name }, customer: await aCustomer() })).body.voucher;
    for (const amount of [100, -50])
      expect(await toldOf(balance(code, amount))).toEqual(told(...moved, "customer.voucher.gift.balance_added"));
    const free = await aVoucher({ type: "GIFT_VOUCHER", gift: { amount: 500 } });
    expect(await toldOf(balance(free, 100))).toEqual(moved);
  });

  test("that are spent and come back are told as lines of the books", async () => {
    const code = await aVoucher({ type: "GIFT_VOUCHER", gift: { amount: 500 } });
    let redemption = "";
    const spend = async () => {
      const redeemables = [{ object: "voucher", id: code, gift: { credits: 300 } }];
      const { body } = await post("/v1/redemptions", { redeemables, order: { amount: 1_000 } }, 200);
      redemption = body.redemptions[0].id;
    };
    expect(await toldOf(spend)).toEqual(
      told(["customer.order", "created", "paid"], "redemption.succeeded", "voucher.gift.transaction.created"),
    );
    expect(await toldOf(() => post(`/v1/redemptions/${redemption}/rollback`, {}, 200))).toEqual(
      told("customer.order.canceled", "redemption.rollback.succeeded", "voucher.gift.transaction.created"),
    );
  });
});
