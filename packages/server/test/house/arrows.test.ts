import { describe, expect, test } from "vitest";
import { arrowProblems, unread } from "../../../../scripts/check-arrows.mjs";
import { aTree } from "./tree.js";

const server = "packages/server/src";
const features = `${server}/features`;

/** Every file that the samples below import; each imports nothing. */
const neighbours = [
  "packages/engine/src/index.ts",
  "packages/engine/src/rules/rule.ts",
  `${server}/app.ts`,
  `${server}/config.ts`,
  `${server}/deciding/index.ts`,
  `${server}/deciding/record.ts`,
  `${server}/events/index.ts`,
  `${server}/events/append.ts`,
  `${server}/events/outbox.ts`,
  `${server}/books/index.ts`,
  `${server}/terms/discount.ts`,
  `${server}/platform/sql.ts`,
  `${features}/vouchers/index.ts`,
  `${features}/vouchers/voucher.routes.ts`,
  `${features}/vouchers/voucher.store.ts`,
  `${features}/vouchers/voucher.test.ts`,
  `${features}/loyalties/index.ts`,
  `${features}/loyalties/tiers/index.ts`,
  `${features}/loyalties/tiers/tier.store.ts`,
  `${features}/redemptions/index.ts`,
  `${features}/client-side/index.ts`,
];

const importing = (specifiers: string | string[]) =>
  [specifiers]
    .flat()
    .map((specifier, i) => `import type * as n${i} from "${specifier}";\n`)
    .join("");

async function problemsWith(samples: Record<string, string | string[]>): Promise<string[]> {
  const root = aTree({
    ...Object.fromEntries(neighbours.map((file) => [file, "export {};\n"])),
    "node_modules/decimal.js/package.json": '{"name":"decimal.js","main":"decimal.js"}',
    "node_modules/decimal.js/decimal.js": "",
    "node_modules/pg/package.json": '{"name":"pg","main":"pg.js"}',
    "node_modules/pg/pg.js": "",
    ...Object.fromEntries(Object.entries(samples).map(([file, specifiers]) => [file, importing(specifiers)])),
  });
  return (await arrowProblems(root)).problems;
}

describe("an arrow that is broken is named, and so is the way out, even when only a type is imported", () => {
  test.each`
    from                                       | specifier                                  | rule
    ${"packages/engine/src/money/share.ts"}    | ${"node:fs"}                               | ${"engine-is-pure"}
    ${"packages/engine/src/money/share.ts"}    | ${"pg"}                                    | ${"engine-is-pure"}
    ${`${server}/deciding/gather.ts`}          | ${"../../../engine/src/rules/rule.js"}     | ${"engine-door-only"}
    ${`${features}/orders/order.service.ts`}   | ${"../vouchers/voucher.store.js"}          | ${"front-door-only"}
    ${`${features}/orders/order.service.ts`}   | ${"../loyalties/tiers/tier.store.js"}      | ${"front-door-only"}
    ${`${features}/loyalties/rewards/x.ts`}    | ${"../tiers/tier.store.js"}                | ${"front-door-only"}
    ${`${features}/loyalties/loyalty.ts`}      | ${"./tiers/tier.store.js"}                 | ${"front-door-only-in-groups"}
    ${`${server}/deciding/gather.ts`}          | ${"../features/vouchers/voucher.store.js"} | ${"front-door-only-from-outside"}
    ${`${server}/main.ts`}                     | ${"./features/vouchers/voucher.store.js"}  | ${"app-plugs-in-plugins"}
    ${`${features}/redemptions/redemption.ts`} | ${"../../deciding/record.js"}              | ${"room-door-only"}
    ${`${server}/platform/locks.ts`}           | ${"../features/vouchers/index.js"}         | ${"platform-knows-no-promotions"}
    ${`${server}/platform/jobs.ts`}            | ${"../events/outbox.js"}                   | ${"platform-knows-no-promotions"}
    ${`${server}/events/dispatcher.ts`}        | ${"../features/vouchers/index.js"}         | ${"events-know-only-the-platform"}
    ${`${server}/books/ledger.store.ts`}       | ${"../terms/discount.js"}                  | ${"room-door-only"}
    ${`${server}/recording/change.ts`}         | ${"../events/append.js"}                   | ${"only-a-write-set-appends-events"}
    ${`${server}/terms/discount.ts`}           | ${"../features/vouchers/index.js"}         | ${"terms-and-recording-know-no-resource"}
    ${`${server}/recording/change.ts`}         | ${"../books/index.js"}                     | ${"terms-and-recording-know-no-resource"}
    ${`${server}/catalogue/read.ts`}           | ${"../features/vouchers/index.js"}         | ${"catalogue-knows-no-resource"}
    ${`${server}/catalogue/read.ts`}           | ${"../books/index.js"}                     | ${"catalogue-knows-no-resource"}
    ${`${server}/books/ledger.store.ts`}       | ${"../features/vouchers/index.js"}         | ${"books-know-no-resource"}
    ${`${features}/orders/order.service.ts`}   | ${"../../deciding/index.js"}               | ${"resources-do-not-decide"}
    ${`${features}/orders/order.service.ts`}   | ${"../redemptions/index.js"}               | ${"resources-do-not-decide"}
    ${`${server}/deciding/gather.ts`}          | ${"../features/redemptions/index.js"}      | ${"deciding-knows-no-callers"}
    ${`${features}/validations/validation.ts`} | ${"../client-side/index.js"}               | ${"client-side-is-a-leaf"}
    ${`${features}/orders/order.service.ts`}   | ${"../../app.js"}                          | ${"app-is-the-top"}
    ${`${features}/orders/order.service.ts`}   | ${"../vouchers/voucher.test.js"}           | ${"no-tests-in-src"}
    ${`${server}/platform/locks.ts`}           | ${"./nowhere.js"}                          | ${"no-unresolved"}
  `("$from must not import $specifier", async ({ from, specifier, rule }) => {
    const problems = await problemsWith({ [from]: specifier });
    expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${from} → \\S+ \\(${rule}\\)\n  \\w+`)));
  });

  test("two files that import each other", async () => {
    const problems = await problemsWith({
      [`${server}/platform/locks.ts`]: "./jobs.js",
      [`${server}/platform/jobs.ts`]: "./locks.js",
    });
    expect(problems).toContainEqual(expect.stringContaining("(no-cycles)"));
  });

  test("two features that know each other, without a cycle of files", async () => {
    const problems = await problemsWith({
      [`${features}/orders/index.ts`]: [],
      [`${features}/orders/order.service.ts`]: "../vouchers/index.js",
      [`${features}/vouchers/voucher.service.ts`]: "../orders/index.js",
    });
    expect(problems).toEqual([expect.stringContaining("(one-way-between-features)")]);
  });
});

test("what follows the arrows passes, and tests look anywhere", async () => {
  const problems = await problemsWith({
    "packages/engine/src/money/share.ts": ["decimal.js", "../rules/rule.js"],
    [`${server}/main.ts`]: ["./app.js", "./config.js"],
    [`${server}/app.ts`]: ["./features/vouchers/voucher.routes.js"],
    [`${server}/events/outbox.ts`]: ["../platform/sql.js"],
    [`${server}/composition.ts`]: ["./features/vouchers/index.js", "./features/client-side/index.js"],
    [`${server}/deciding/index.ts`]: ["../features/vouchers/index.js", "@guerdon/engine", "../events/index.js"],
    [`${features}/vouchers/voucher.store.ts`]: ["../../platform/sql.js", "pg"],
    [`${features}/orders/order.service.ts`]: ["../vouchers/index.js", "../loyalties/tiers/index.js"],
    [`${features}/redemptions/redemption.routes.ts`]: ["../../deciding/index.js", "../vouchers/index.js"],
    [`${features}/client-side/index.ts`]: ["../redemptions/index.js", "../loyalties/index.js"],
    [`${features}/orders/order.test.ts`]: ["../vouchers/voucher.store.js", "../../deciding/record.js", "../../app.js"],
    "packages/server/test/journey.test.ts": [`../src/features/vouchers/voucher.store.js`, "../src/app.js"],
  });
  expect(problems).toEqual([]);
});

describe("a check that reads nothing fails", () => {
  test("when a source file is missing from what was read", () => {
    const root = aTree({ "packages/engine/src/index.ts": "export {};\n" });
    expect(unread(root, [])).toEqual([expect.stringContaining("packages/engine/src/index.ts: was not read")]);
  });

  test("when a file was listed but its imports were not seen", () => {
    const root = aTree({ "packages/engine/src/index.ts": 'export * from "./facts.js";\n' });
    const blind = [{ source: "packages/engine/src/index.ts", dependencies: [] }];
    expect(unread(root, blind)).toEqual([expect.stringContaining("was not read")]);
  });

  test("when there is no source at all", () => {
    expect(unread(aTree({ "packages/engine/package.json": "{}" }), [])).toEqual([expect.stringContaining("no source")]);
  });
});
