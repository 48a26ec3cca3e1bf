import { describe, expect, test } from "vitest";
import { request_id } from "../../../test/harness/exact-bodies.js";
import { startService } from "../../../test/harness/service.js";

const { api, page, anotherProject } = await startService();
await api.post("/v1/vouchers/CODE", { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
const redeemables = [{ object: "voucher", id: "CODE" }];
const validate = (query: string, status = 200) => page.get(`/client/v1/validate?code=CODE&${query}`, status);
const tokenOf = async (source_id: string): Promise<string> =>
  (await validate(`tracking_id=${source_id}`)).body.tracking_id;

describe("a tracking id", () => {
  test("is in every answer of a validation, valid or not", async () => {
    expect((await validate("tracking_id=ann")).body.tracking_id).toMatch(/^track_[A-Za-z0-9_-]+$/);
    const unknown = await page.get("/client/v1/validate?code=NOBODYS&tracking_id=ann", 200);
    expect(unknown.body.tracking_id).toBe(await tokenOf("ann"));
  });

  test("is invented for whoever is nobody yet, and another one for the next", async () => {
    const [one, other] = [(await validate("")).body.tracking_id, (await validate("")).body.tracking_id];
    expect(one).toMatch(/^track_/);
    expect(other).not.toBe(one);
    expect(await tokenOf(one)).toBe(one);
  });

  test("is the same for the same customer, however they are named", async () => {
    const token = await tokenOf("ann");
    for (const query of ["customer=ann", "customer[source_id]=ann", `tracking_id=${token}`, `customer=${token}`]) {
      expect((await validate(query)).body.tracking_id).toBe(token);
    }
    const { body } = await page.post("/client/v1/validations", { redeemables, tracking_id: token }, 200);
    expect(body.tracking_id).toBe(token);
  });

  test("of another project's customer is another token, and means nothing here", async () => {
    const other = await anotherProject();
    await other.api.post("/v1/vouchers/CODE", { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
    const theirs = (await other.page.get("/client/v1/validate?code=CODE&tracking_id=ann", 200)).body.tracking_id;
    expect(theirs).not.toBe(await tokenOf("ann"));
    // A text that is no token of ours is a source id like any other.
    const { body } = await page.post("/client/v1/redeem?code=CODE", { tracking_id: theirs }, 200);
    expect(body.customer.source_id).toBe(theirs);
  });

  test("tells nobody the source id behind it", async () => {
    const token = await tokenOf("ann@example.com");
    const text = Buffer.from(token.slice("track_".length), "base64url").toString("latin1");
    expect(text).not.toContain("@example.com");
  });

  test.each([
    ["?code=CODE&tracking_id=", (name: string) => name, () => ({})],
    ["?code=CODE", () => "", (name: string) => ({ tracking_id: name })],
    ["?code=CODE", () => "", (name: string) => ({ customer: { source_id: name } })],
  ])("and the token for it make the same customer of a redemption, once: %s", async (path, inQuery, inBody) => {
    const source_id = `redeemer ${path.length} ${JSON.stringify(inBody("x")).length}`;
    const token = await tokenOf(encodeURIComponent(source_id));
    const redeem = (name: string) =>
      page.post(`/client/v1/redeem${path}${encodeURIComponent(inQuery(name))}`, inBody(name), 200);
    const [first, second] = [(await redeem(token)).body, (await redeem(source_id)).body];
    expect(first.customer).toMatchObject({ source_id });
    expect(second.customer_id).toBe(first.customer_id);
    expect([first.tracking_id, second.tracking_id]).toEqual([token, token]);
    const stored = await api.get(`/v1/customers/${encodeURIComponent(source_id)}`, 200);
    expect(stored.body).toMatchObject({ id: first.customer_id, source_id });
  });

  test("of a browser is known to the shop's server too", async () => {
    const token = await tokenOf("from-a-browser");
    for (const naming of [{ tracking_id: token }, { customer: { source_id: token } }]) {
      const { body } = await api.post("/v1/redemptions", { redeemables, ...naming }, 200);
      expect(body.redemptions[0].customer.source_id).toBe("from-a-browser");
    }
  });

  test("names a customer whom the request describes without naming", async () => {
    const body = { redeemables, tracking_id: "described", customer: { metadata: { plan: "gold" } } };
    await page.post("/client/v1/redemptions", body, 200);
    expect((await api.get("/v1/customers/described", 200)).body.metadata).toEqual({ plan: "gold" });
  });

  test("may be as long as the token of the longest source id, and names none that is longer", async () => {
    const longest = "🙂".repeat(127);
    const token = await tokenOf(encodeURIComponent(longest));
    expect(token.length).toBeGreaterThan(255);
    const { body } = await page.post("/client/v1/redeem?code=CODE", { tracking_id: token }, 200);
    expect(body.customer.source_id).toBe(longest);
    const { key, details } = (await validate(`tracking_id=${"x".repeat(256)}`, 400)).body;
    expect([key, details]).toEqual(["invalid_payload", "Property .tracking_id must NOT have more than 255 characters"]);
  });
});

describe("two customers in one request", () => {
  const ambiguous = async (one: string, other: string) => ({
    code: 400,
    key: "ambiguous_tracking_id",
    message: `Ambiguous trackingId ('${await tokenOf(one)}' vs. '${await tokenOf(other)}')`,
    details:
      "The customer cannot be identified as two different identifiers have been used between requests from same origin.",
    request_id,
  });

  test("are refused, by every operation", async () => {
    const body = { redeemables, tracking_id: "ann", customer: { source_id: "bob" } };
    const answers = [
      await validate("tracking_id=ann&customer[source_id]=bob", 400),
      await validate("tracking_id=ann&customer=bob", 400),
      await page.post("/client/v1/validations", body, 400),
      await page.post("/client/v1/redemptions", body, 400),
      await page.post("/client/v1/qualifications", { tracking_id: "ann", customer: { source_id: "bob" } }, 400),
      await page.post("/client/v1/redeem?code=CODE", body, 400),
      await page.post("/client/v1/redeem?code=CODE&tracking_id=ann", { customer: { source_id: "bob" } }, 400),
      await page.post("/client/v1/redeem?code=CODE&tracking_id=ann", { tracking_id: "bob" }, 400),
    ];
    const expected = await ambiguous("ann", "bob");
    for (const answer of answers) expect(answer.body).toEqual(expected);
  });

  test("are one where a name and its token are sent", async () => {
    const token = await tokenOf("ann");
    await validate(`tracking_id=${token}&customer[source_id]=ann`);
    await page.post(`/client/v1/redeem?code=CODE&tracking_id=ann`, { customer: { source_id: token } }, 200);
  });

  test("are for the server to settle: the customer is who it says", async () => {
    const body = { redeemables, tracking_id: "ann", customer: { source_id: "bob" } };
    expect((await api.post("/v1/redemptions", body, 200)).body.redemptions[0].customer.source_id).toBe("bob");
  });
});
