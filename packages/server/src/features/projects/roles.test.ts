import { describe, expect, test } from "vitest";
import { createClient } from "../../../test/harness/client.js";
import { editSettings } from "../../../test/harness/edits.js";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { roleAllows } from "./roles.js";

describe("a key's role", () => {
  test.each`
    method      | route                                         | USER    | VIEWER   | MERCHANT
    ${"GET"}    | ${"/v1/vouchers"}                             | ${true} | ${true}  | ${true}
    ${"HEAD"}   | ${"/v1/vouchers/:code"}                       | ${true} | ${true}  | ${true}
    ${"GET"}    | ${"/v1/async-actions"}                        | ${true} | ${true}  | ${false}
    ${"POST"}   | ${"/v1/vouchers/:code/validate"}              | ${true} | ${true}  | ${true}
    ${"POST"}   | ${"/v1/vouchers/:code/redemption"}            | ${true} | ${false} | ${true}
    ${"POST"}   | ${"/v1/promotions/tiers/:tierId/redemption"}  | ${true} | ${false} | ${true}
    ${"POST"}   | ${"/v1/validations"}                          | ${true} | ${true}  | ${false}
    ${"POST"}   | ${"/v1/redemptions"}                          | ${true} | ${false} | ${false}
    ${"POST"}   | ${"/v1/redemptions/:redemptionId/rollback"}   | ${true} | ${false} | ${false}
    ${"POST"}   | ${"/v1/qualifications"}                       | ${true} | ${true}  | ${false}
    ${"POST"}   | ${"/v1/loyalties/:campaignId/qualifications"} | ${true} | ${true}  | ${false}
    ${"POST"}   | ${"/v1/orders/export"}                        | ${true} | ${true}  | ${false}
    ${"POST"}   | ${"/v1/exports"}                              | ${true} | ${true}  | ${false}
    ${"DELETE"} | ${"/v1/exports/:exportId"}                    | ${true} | ${false} | ${false}
    ${"POST"}   | ${"/v2/loyalties/examine/rewards"}            | ${true} | ${true}  | ${false}
    ${"POST"}   | ${"/v1/validation-rules"}                     | ${true} | ${false} | ${false}
    ${"POST"}   | ${"/v1/customers"}                            | ${true} | ${false} | ${false}
    ${"PUT"}    | ${"/v1/customers/:customerId"}                | ${true} | ${false} | ${false}
    ${"DELETE"} | ${"/v1/vouchers/:code/sessions/:sessionKey"}  | ${true} | ${false} | ${false}
    ${"POST"}   | ${"/v1/oauth/token"}                          | ${true} | ${true}  | ${true}
    ${"POST"}   | ${"/client/v1/validations"}                   | ${true} | ${true}  | ${false}
    ${"POST"}   | ${"/client/v1/qualifications"}                | ${true} | ${true}  | ${false}
    ${"POST"}   | ${"/client/v1/redemptions"}                   | ${true} | ${false} | ${false}
    ${"GET"}    | ${"/client/v1/validate"}                      | ${true} | ${true}  | ${true}
    ${"POST"}   | ${"/client/v1/redeem"}                        | ${true} | ${false} | ${true}
    ${"GET"}    | ${"/client/v1/promotions/tiers"}              | ${true} | ${true}  | ${true}
  `("$method $route: user $USER, viewer $VIEWER, merchant $MERCHANT", ({ method, route, USER, VIEWER, MERCHANT }) => {
    const allowed = (role: string) => roleAllows(role, method, route);
    expect({ USER: allowed("USER"), VIEWER: allowed("VIEWER"), MERCHANT: allowed("MERCHANT") }).toEqual({
      USER,
      VIEWER,
      MERCHANT,
    });
    expect([allowed("ADMIN"), allowed("USER_RESTRICTED"), allowed("role_unknown"), allowed("")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

const { context, anotherProject, url } = await startService();

describe("a viewer's key", () => {
  test("reads and asks, and so does a token that it minted as something more", async () => {
    const { id, api } = await anotherProject();
    const mint = () =>
      api.send("POST", "/v1/oauth/token", {
        raw: "grant_type=client_credentials&scope=api",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        status: 200,
      });
    const { body } = await mint();
    const bearer = createClient(url, { authorization: `Bearer ${body.access_token}` });
    await bearer.post("/v1/customers", { source_id: "before" }, 200);
    await editSettings(context, id, sql`update api_keys set role = 'VIEWER' where api_keys.project_id = ${id}`);
    for (const caller of [api, bearer]) {
      await caller.get("/v1/customers/before", 200);
      const refused = await caller.send("POST", "/v1/customers", { raw: "{", status: 403 });
      expect(refused.body).toMatchObject({
        code: 403,
        key: "missing_required_permission",
        message: "Missing permission",
        details: "User does not have a required permission to perform this operation.",
      });
      await caller.delete("/v1/customers/before", 403);
    }
    await mint();
  });
});
