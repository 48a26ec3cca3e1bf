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
  redemptions: { filter: "filters[voucher_code][conditions][$in][0]=CODE-1", refused: "filters[user_login][$is]=x" },
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
