import { expect, test } from "vitest";
import { seeded, seedOfRun } from "../harness/seeded.js";
import { startService } from "../harness/service.js";
import { answerOf, aValidation, redeemablesOf } from "./asking.fixtures.js";
import { copyProject } from "./copy.fixtures.js";
import { aShop, project_fields } from "./shop.fixtures.js";

const service = await startService();
const count = process.env.GUERDON_TEST_LONG === "1" ? 1_000 : 100;

test(`a project that is brought into another one by the API answers ${count} random validations alike there`, async () => {
  const shop = await aShop(service);
  const copy = await service.anotherProject(project_fields);
  const twins = await copyProject(service, shop, copy);
  const seed = seedOfRun();
  const dice = seeded(seed);
  const redeemables = await redeemablesOf(shop);
  let valid = 0;
  for (let i = 0; i < count; i += 1) {
    const asked = aValidation(dice, redeemables);
    const expected = (await answerOf(shop, asked, twins)) as { body: { valid: boolean } };
    if (expected.body.valid) valid += 1;
    const answer = await answerOf(copy, twins.in(asked));
    expect(answer, `seed ${seed} (GUERDON_TEST_SEED), number ${i}: ${JSON.stringify(asked)}`).toEqual(expected);
  }
  // That all is refused in both would prove little.
  expect(valid).toBeGreaterThan(count / 5);
}, 300_000);
