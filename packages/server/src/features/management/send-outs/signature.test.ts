import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { signatureHeaders } from "./signature.js";

const secret = "secretKey";

describe("a message is signed", () => {
  test.each([
    ['{"a":1}', "a17d2ac229d1ebbb5f10e839c7985c4818e5986eab297f7e5979196d4d7d3ed2"],
    ['{"a\\"b":1}', "f7cf97814a03146abedb9793f56e1dec34f618f82d10395310d053f749483ffb"],
    ["  message  ", "53ff92957e1427ce23ad5bda9d0c5f2f4ff384d0806b83eeacb510c842d3a358"],
  ])("over its bytes: %j", (body, hex) => {
    expect(signatureHeaders("whs_1", body, { secret, at: 0 })["x-voucherify-signature"]).toBe(hex);
  });

  test("so that the library of Standard Webhooks verifies it with the same secret, and nothing else", () => {
    const body = JSON.stringify({ name: "Zoë ☕" });
    const headers = signatureHeaders("whs_1", body, { secret, at: Date.now() });
    const ofSecret = (text: string) => new Webhook(Buffer.from(text).toString("base64"));
    expect(ofSecret(secret).verify(body, headers)).toEqual({ name: "Zoë ☕" });
    expect(() => ofSecret("another").verify(body, headers)).toThrow();
    expect(() => ofSecret(secret).verify(`${body} `, headers)).toThrow();
    expect(() => ofSecret(secret).verify(body, { ...headers, "webhook-id": "whs_2" })).toThrow();
    const old = signatureHeaders("whs_1", body, { secret, at: Date.now() - 3_600_000 });
    expect(() => ofSecret(secret).verify(body, old)).toThrow();
  });
});
