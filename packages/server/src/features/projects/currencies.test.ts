import { expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { management, project } = await startService();
const url = `/management/v1/projects/${project.id}`;

test.each(["ABC", "DEM", "ZZZ"])(
  "a project has no currency that there is none of: %s is refused by name",
  async (currency) => {
    const refused = { key: "invalid_payload", details: "Property .currency must be a currency code of ISO 4217" };
    expect((await management.put(url, { currency }, 400)).body).toMatchObject(refused);
    const made = { name: "Abroad", currency };
    expect((await management.post("/management/v1/projects", made, 400)).body).toMatchObject(refused);
    expect((await management.get(url, 200)).body.currency).toBe("USD");
  },
);

test.each(["EUR", "VED", "XAU"])("a project may have %s", async (currency) => {
  expect((await management.put(url, { currency }, 200)).body.currency).toBe(currency);
  await management.put(url, { currency: "USD" }, 200);
});
