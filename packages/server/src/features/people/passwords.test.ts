import { expect, test } from "vitest";
import { hashOfPassword, isPassword } from "./passwords.js";

test("fifty wait for their password to be looked at, beside two that are; who comes then is told to try again, and later is let in", async () => {
  const hash = await hashOfPassword("correct horse", { N: 1024, r: 1, p: 1 });
  const asked = await Promise.allSettled(
    Array.from({ length: 60 }, (_, i) => isPassword(i % 2 === 0 ? "correct horse" : "battery", hash)),
  );
  const answers = asked.map((one) => (one.status === "fulfilled" ? one.value : one.reason.status));
  expect(answers).toEqual(Array.from({ length: 60 }, (_, i) => (i < 52 ? i % 2 === 0 : 503)));
  expect(await isPassword("correct horse", hash)).toBe(true);
});
