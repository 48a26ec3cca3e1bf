import { expect, test } from "vitest";
import { startService } from "../harness/service.js";

const { api } = await startService();

test.each([
  ["9999-12-31T23:59:59-12:00", 400],
  ["9999-12-31T24:00:00Z", 400],
  ["0001-01-01T00:00:00+14:00", 400],
  ["9999-12-31T23:59:59.999Z", 200],
  ["9999-12-31T23:59:59+14:00", 200],
  ["0001-01-01T00:00:00Z", 200],
])("a date that its offset carries out of the years 1 to 9999 is refused by name: %s, %i", async (date, status) => {
  const code = `DATE-${Buffer.from(date).toString("hex")}`;
  const discount = { type: "AMOUNT", amount_off: 100 };
  const { body } = await api.post(`/v1/vouchers/${code}`, { discount, expiration_date: date }, status);
  if (status === 400) {
    expect(body).toMatchObject({
      key: "invalid_payload",
      details: "Property .expiration_date cannot be recognized as a ISO-8601 compliant date",
    });
  }
  expect((await api.get(`/v1/vouchers?created_at[before]=${encodeURIComponent(date)}`)).status).toBe(status);
});
