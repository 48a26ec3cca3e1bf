import { describe, expect, test } from "vitest";
import { startService } from "../harness/service.js";

const service = await startService();
const { management, anotherProject } = service;

const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
const coupons = { name: "Coupons", campaign_type: "DISCOUNT_COUPONS", vouchers_count: 2, voucher };

/** A project whose vouchers must say their `channel`. */
async function aProject() {
  const project = await anotherProject();
  const properties = { channel: { type: "string", optional: false, array: false } };
  const path = `/management/v1/projects/${project.id}/metadata-schemas`;
  await management.post(path, { related_object: "voucher", properties }, 200);
  const { api } = project;
  return {
    api,
    /** The metadata of all codes of the campaign: two made with it, one for whoever is the third to get one. */
    async made() {
      await service.runDue();
      for (const source_id of ["ann", "bob", "cid"])
        await api.post("/v1/publications", { campaign: { name: "Coupons" }, customer: { source_id } }, 200);
      const { vouchers } = (await api.get("/v1/vouchers?campaign=Coupons", 200)).body;
      return vouchers.map(({ metadata }: { metadata: object }) => metadata);
    },
  };
}

describe("codes that a campaign makes by itself, where vouchers must have some metadata", () => {
  test("have what the campaign says for them, which is refused where it lacks something", async () => {
    const { api, made } = await aProject();
    const handing = { ...coupons, use_voucher_metadata_schema: true };
    const { details } = (await api.post("/v1/campaigns", handing, 400)).body;
    expect(details).toBe("channel: must be a string, property is required (actual value is 'undefined')");
    await api.post("/v1/campaigns", { ...handing, metadata: { channel: "web" } }, 200);
    expect(await made()).toEqual([{ channel: "web" }, { channel: "web" }, { channel: "web" }]);
  });

  test("have none where the campaign's metadata is its own, since none is sent that could be off the schema", async () => {
    const { api, made } = await aProject();
    await api.post("/v1/campaigns", coupons, 200);
    expect(await made()).toEqual([{}, {}, {}]);
    // Whoever asks for one sends its metadata.
    await api.post("/v1/campaigns/Coupons/vouchers", {}, 400);
    await api.post("/v1/campaigns/Coupons/vouchers", { metadata: { channel: "web" } }, 200);
  });
});
