import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { someoneIn } from "../../people/people.fixtures.js";

const service = await startService();
const { project, clock } = service;
const { api } = project;
const { browser } = await someoneIn(service, project.id, "VIEWER");

const discount = { type: "AMOUNT", amount_off: 100 };
for (const n of [1, 2, 3, 4, 5]) {
  clock.advance({ minutes: 1 });
  await api.post(`/v1/vouchers/CODE-${n}`, { discount, category: n % 2 ? "odd" : "even" }, 200);
  await api.post("/v1/customers", { source_id: `customer ${n}`, address: { city: n % 2 ? "Oslo" : "Rome" } }, 200);
  await api.post(
    "/v1/campaigns",
    { name: `campaign ${n}`, campaign_type: "DISCOUNT_COUPONS", voucher: { type: "DISCOUNT_VOUCHER", discount } },
    200,
  );
  await api.post(`/v1/vouchers/CODE-${n}/redemption`, { customer: { source_id: `customer ${n}` } }, 200);
}

const lists = {
  vouchers: { filter: "category=odd", refused: "order=name" },
  customers: { filter: "city=Oslo", refused: "order=city" },
  redemptions: { filter: "filters[voucher_code][conditions][$in][0]=CODE-1", refused: "order=amount" },
  campaigns: { filter: "filters[campaigns][conditions][$ends_with]=3", refused: "access_settings[filter]=x" },
};

describe.each(Object.entries(lists))("/dashboard/v1/%s", (noun, { filter, refused }) => {
  const at = `/dashboard/v1/${noun}`;
  const ofApi = async (query = "") => (await api.get(`/v1/${noun}?limit=100&${query}`, 200)).body;

  test("is the API's list, filtered and ordered as that", async () => {
    for (const query of ["", filter, "order=created_at"]) {
      const [{ body: ours }, theirs] = [await browser.get(`${at}?limit=100&${query}`, 200), await ofApi(query)];
      expect(ours).toEqual({ data: theirs[noun], total: theirs.total, has_more: false });
    }
    expect((await ofApi(filter)).total).toBeLessThan(5);
    await browser.get(`${at}?${refused}`, 400);
  });

  test("is walked by cursor to its end, each row once", async () => {
    const all = (await ofApi())[noun].map(({ id }: { id: string }) => id);
    const seen: string[] = [];
    for (let after = "", more = true; more; after = `&starting_after_id=${seen.at(-1)}`) {
      const { body } = await browser.get(`${at}?limit=2${after}`, 200);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      more = body.has_more;
      expect(body.total).toBe(all.length);
    }
    expect(seen).toEqual(all);
    await browser.get(`${at}?starting_after_id=nobody`, 400);
  });
});

describe("/dashboard/v1/orders", () => {
  const people = ["Ada", "Ben"].map((name) => ({ source_id: `buyer ${name}`, name }));
  const found = async (query: string, by = browser) =>
    (await by.get(`/dashboard/v1/orders?order=created_at&${query}`, 200)).body;
  const idsOf = ({ data }: { data: { source_id: string }[] }) => data.map(({ source_id }) => source_id);

  test("is the orders of a project, of a customer, of a status, or the one that is named, with whose they are", async () => {
    for (const n of [1, 2, 3, 4]) {
      clock.advance({ minutes: 1 });
      const sent = { source_id: `o-${n}`, amount: n, status: n > 2 ? "PAID" : "CREATED", customer: people[n % 2] };
      await api.post("/v1/orders", sent, 200);
    }
    const all = await found("limit=100");
    expect(idsOf(all).slice(-4)).toEqual(["o-1", "o-2", "o-3", "o-4"]);
    expect(all.customers.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(["Ada", "Ben"]));
    const of_ben = await found("customer=buyer%20Ben");
    expect(idsOf(of_ben)).toEqual(["o-1", "o-3"]);
    expect(of_ben.customers).toMatchObject([{ source_id: "buyer Ben", name: "Ben" }]);
    expect(idsOf(await found("customer=buyer%20Ben&status=PAID"))).toEqual(["o-3"]);
    expect(await found("source_id=o-2")).toMatchObject({ data: [{ source_id: "o-2" }], total: 1, has_more: false });
    expect(await found("customer=nobody")).toEqual({ data: [], customers: [], total: 0, has_more: false });
    await browser.get("/dashboard/v1/orders?status=LOST", 400);
  });

  test("is walked by cursor, and shows nothing of another project", async () => {
    const first = await found("customer=buyer%20Ben&limit=1");
    expect(first).toMatchObject({ data: [{ source_id: "o-1" }], total: 2, has_more: true });
    const rest = await found(`customer=buyer%20Ben&limit=1&starting_after_id=${first.data[0].id}`);
    expect(rest).toMatchObject({ data: [{ source_id: "o-3" }], has_more: false });
    const other = await service.anotherProject();
    const { browser: stranger } = await someoneIn(service, other.id, "ADMIN");
    expect(await found("source_id=o-2", stranger)).toEqual({ data: [], customers: [], total: 0, has_more: false });
  });
});
