import { describe, expect, test } from "vitest";
import { headersIn, headersSent } from "./headers.js";

describe("headers of a webhook", () => {
  test.each([
    ["", {}],
    ["Authorization: Bearer a:b", { Authorization: "Bearer a:b" }],
    [" x-shop : north \n\nx-till:7\n", { "x-shop": "north", "x-till": "7" }],
    ["x-shop", null],
    ["x shop: north", null],
    ["x-shop:", null],
  ])("are read line by line: %j", (typed, headers) => {
    expect(headersIn(typed)).toEqual(headers);
  });

  test("stay where nothing is written, and go where they shall", () => {
    expect(headersSent("", false)).toEqual({});
    expect(headersSent("", true)).toEqual({ custom_headers: null });
    expect(headersSent("x-shop: north", true)).toEqual({ custom_headers: { "x-shop": "north" } });
  });
});
