import { expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { importsOn } from "../../imports/import.fixtures.js";

const service = await startService();
const { api, project } = service;
const { send, ended } = importsOn(service);

const discount = { type: "AMOUNT", amount_off: 100 };
const imported = async (text: string) =>
  (await ended(project, await send(api, "/v1/vouchers/importCSV", text, { status: 202 }))).result;
const voucher = async (code: string) => (await api.get(`/v1/vouchers/${code}`, 200)).body;

test("a file needs no more than the codes of vouchers that are there to change them, and all that it says else goes unread", async () => {
  await api.post("/v1/vouchers/K-1", { discount, active: false }, 200);
  await api.post("/v1/vouchers/K-2", { discount }, 200);
  const { failed } = await imported("Code,Active\nK-1,true\nK-NEW,true");
  expect(failed).toEqual([{ code: "K-NEW", row: 2, reason: "Voucher Type is required" }]);
  expect(await voucher("K-1")).toMatchObject({ active: true, discount });

  const columns = "Code,Voucher Type,Value,Discount Type,Category,Active,Start Date,Redeemed Quantity";
  const said = "VOUCHER,abc,HALF,Re,false,nope,-1";
  expect(await imported(`${columns}\nK-2,${said}`)).toMatchObject({ done_count: 1, failed: [] });
  expect(await voucher("K-2")).toMatchObject({ active: false, category: "Re", discount, start_date: null });
});

test("a file is told where it says wrongly what it would change of a voucher that is there", async () => {
  await api.post("/v1/vouchers/K-3", { discount }, 200);
  const long = "c".repeat(256);
  expect((await imported("Code,Active\nK-3,perhaps")).failed).toEqual([
    { code: "K-3", row: 1, reason: "Column 'Active' must be TRUE or FALSE" },
  ]);
  expect((await imported(`Code,Category\nK-3,${long}`)).failed).toEqual([
    { code: "K-3", row: 1, reason: "Property .category must NOT have more than 255 characters" },
  ]);
});
