import { expect, test } from "vitest";
import { type CatalogueForm, faultsIn, productChanges, productForm, skuChanges } from "./catalogue-form.js";
import type { Product } from "./products.queries.js";

const writes = { digits: 2, currency: "EUR" };
const mug = {
  name: "Mug",
  price: 1_250,
  attributes: ["colour", "made of, mostly"],
  image_url: null,
  metadata: { fair: true, from: { country: "PT" } },
} as unknown as Product;
const before = productForm(mug, writes);
const changed = (change: Partial<CatalogueForm>) => productChanges(before, { ...before, ...change }, writes);

test.each<[Partial<CatalogueForm>, object]>([
  [{}, {}],
  [{ name: " Cup " }, { name: "Cup" }],
  [{ name: "" }, { name: null }],
  [{ price: "9,99" }, { price: 999 }],
  [{ price: "" }, { price: null }],
  [{ attributes: 'size, "made of, mostly"' }, { attributes: ["size", "made of, mostly"] }],
  [{ image_url: "https://shop.example/mug.png" }, { image_url: "https://shop.example/mug.png" }],
  [{ metadata: '{"fair":true,"from":{"country":"ES"},"new":1}' }, { metadata: { from: { country: "ES" }, new: 1 } }],
])("of %j nothing is sent but %j", (change, body) => expect(changed(change)).toEqual(body));

test("a SKU is named otherwise, and its attributes have values", () => {
  const form = { ...before, attributes: "{}" };
  const after = { ...form, name: "Red", attributes: '{"colour":"red"}' };
  expect(skuChanges(form, after, writes)).toEqual({ sku: "Red", attributes: { colour: "red" } });
});

test.each<[Partial<CatalogueForm>, "product" | "sku", string[]]>([
  [{}, "product", []],
  [{ price: "" }, "product", []],
  [{ price: "free" }, "product", ["price"]],
  [{ price: "1.999" }, "product", ["price"]],
  [{ metadata: "[]" }, "product", ["metadata"]],
  [{ attributes: "colour" }, "sku", ["attributes"]],
])("%j of a %s is wrong in %j", (change, of, fields) => {
  expect(Object.keys(faultsIn({ ...before, ...change }, of, writes))).toEqual(fields);
});
