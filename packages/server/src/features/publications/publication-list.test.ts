import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { aMember, aName, aProgram } from "../loyalties/loyalty.fixtures.js";
import { aCampaign, publisherOn } from "./publication.fixtures.js";

const service = await startService();
const { api } = service;
const { publish } = publisherOn(api);
const ann = { source_id: "ann" };

describe("GET /v1/publications", () => {
  test("shows of a code what it gives, in the bin too, and a deleted customer by the id alone", async () => {
    const { name } = await aCampaign(api, { codes: ["SHOWN"] });
    const { body } = await publish({ campaign: { name }, customer: { source_id: aName("c"), name: "Gone" } });
    await api.delete("/v1/vouchers/SHOWN", 204);
    await api.delete(`/v1/customers/${body.customer_id}`, 204);
    const [listed] = (await api.get(`/v1/publications?voucher=SHOWN`, 200)).body.publications;
    expect(listed.voucher).toEqual({
      code: "SHOWN",
      object: "voucher",
      campaign: name,
      is_referral_code: false,
      discount: { type: "AMOUNT", amount_off: 100 },
    });
    expect(listed.customer).toMatchObject({ id: body.customer_id, name: null, source_id: null });
    expect(listed.tracking_id).toBeNull();
  });

  test("is filtered by the code that was given and by metadata", async () => {
    const { name } = await aCampaign(api, { codes: ["BY-CODE", "ANOTHER"] });
    const given = async (till: string) =>
      (await publish({ campaign: { name }, customer: ann, metadata: { till } })).body.voucher.code as string;
    const [north] = [await given("north"), await given("south")];
    const found = async (field: string, value: string) => {
      const query = `campaign=${name}&filters[${field}][conditions][$is]=${value}`;
      const { publications } = (await api.get(`/v1/publications?${query}`, 200)).body;
      return publications.map(({ voucher }: { voucher: { code: string } }) => voucher.code);
    };
    expect(await found("voucher_code", north)).toEqual([north]);
    expect(await found("metadata.till", "north")).toEqual([north]);
    expect(await found("voucher_code", "NONE")).toEqual([]);
    expect(await found("metadata.till", "west")).toEqual([]);
  });

  test("finds a name that a deleted campaign had with the live one alone", async () => {
    const gone = await aCampaign(api, { codes: ["BEFORE"] });
    await publish({ campaign: { name: gone.name }, customer: ann });
    await api.delete(`/v1/campaigns/${gone.id}?force=true`, 202);
    await service.runDue();
    const { name } = await aCampaign(api, { codes: ["AFTER"], fields: { name: gone.name } });
    const { id } = (await publish({ campaign: { name }, customer: ann })).body;
    const { publications } = (await api.get(`/v1/publications?campaign=${name}`, 200)).body;
    expect(publications.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  test("refuses a page beyond the thousandth by its own key", async () => {
    expect((await api.get("/v1/publications?page=1001", 400)).body).toMatchObject({
      code: 400,
      key: "page_over_limit",
      message: "Listing resource above 1000 page is not supported",
      details: "Property .page cannot be higher than 1000",
    });
  });

  test("lists what members and rewards were given too", async () => {
    const program = await aProgram(service);
    const { card, source_id } = await aMember(service, program);
    const [listed] = (await api.get(`/v1/publications?customer=${source_id}`, 200)).body.publications;
    expect(listed).toMatchObject({ vouchers_id: [card.id], voucher: { loyalty_card: { balance: 0 } } });
  });
});
