import fc from "fast-check";
import { expect, test } from "vitest";
import { shownUrl } from "./shown-url.js";

test.each([
  ["postgresql://me:hush@db:5432/guerdon", "postgresql://me:***@db:5432/guerdon"],
  ["postgresql://me@db/guerdon?sslmode=require", "postgresql://me@db/guerdon?sslmode=require"],
  ["postgresql://db/guerdon?user=me&password=hush", "postgresql://db/guerdon?user=me&***"],
  ["postgresql://me@db/guerdon?PGPASSWORD=hush&sslpassword=hush", "postgresql://me@db/guerdon?***&***"],
  ["postgresql://:hush@db/guerdon", "postgresql://:***@db/guerdon"],
  ["postgresql:///guerdon?host=/run/postgresql", "postgresql:///guerdon?host=%2Frun%2Fpostgresql"],
  // A password that was not percent-encoded: what is left of it stands where something else should.
  ["postgresql://me:p@hush@db/guerdon", "postgresql://me:***@db/guerdon"],
  ["postgresql://me:12/hush@db/guerdon", "postgresql://***"],
  ["postgresql://me:12?hush@db/guerdon", "postgresql://***"],
  ["postgresql://me:12#hush@db/guerdon", "postgresql://***"],
  ["postgresql://me:hu/sh@db/guerdon", "***"],
])("%s is shown as %s", (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});

test("no password is shown, whatever it is made of and wherever it stands", () => {
  const password = fc.stringMatching(/^[0-9]*[:/?#@%&=]*secret[ -~]*$/);
  fc.assert(
    fc.property(password, (password) => {
      const encoded = encodeURIComponent(password);
      for (const url of [
        `postgresql://me:${password}@db/guerdon`,
        `postgresql://me:${encoded}@db/guerdon`,
        `postgresql://me@db/guerdon?password=${encoded}`,
        `postgresql://me@db/guerdon?application_name=us&password=${encoded}`,
      ]) {
        expect(shownUrl(url)).not.toContain("secret");
      }
    }),
  );
});
