import { describe, expect, test } from "vitest";
import type { Answer } from "./harness/client.js";
import { bodyText, nameOf, type Operation, pathWith, readOperations } from "./harness/document.js";
import { named_by, type Reference, referencesOf } from "./harness/references.js";
import { callerOf, fuller, makeOneOfEach, unknownLike } from "./harness/resources.js";
import { exampleOf } from "./harness/schema-values.js";
import { startService, type TestProject } from "./harness/service.js";
import { leavingAllOf } from "./harness/stored.js";

const { url, project: first, context, anotherProject } = await startService();
const operations = (await readOperations(url)).filter(({ path }) => /^(\/client)?\/v1\//.test(path));
const seeds = await makeOneOfEach(first, operations);
const twin_code = "CODE-OF-MY-OWN";

/** Two projects alike, so that one can ask for what another project has while the other asks for what nobody has. */
async function twins(): Promise<[TestProject, TestProject]> {
  const pair = await Promise.all([anotherProject(), anotherProject()]);
  const voucher = { type: "DISCOUNT_VOUCHER", discount: { type: "AMOUNT", amount_off: 100 } };
  for (const { api } of pair) await api.post(`/v1/vouchers/${twin_code}`, voucher, 200);
  return pair;
}

interface Asked {
  reference: Reference;
  name: string;
  /** What stands in the path's other places; the caller's own unless given. */
  beside?: Record<string, string>;
}

/** What is put to another project's key: each name in each place alone, and a path that is theirs from end to end. */
function questionsTo(operation: Operation): Asked[] {
  const asked = referencesOf(operation).flatMap((reference) =>
    (named_by[reference.key] ?? []).flatMap((resource) =>
      (seeds[resource] ?? []).map((name): Asked => ({ reference, name })),
    ),
  );
  const in_path = asked.filter(({ reference }) => reference.in === "path");
  const beside = Object.fromEntries(in_path.map(({ reference, name }) => [reference.steps[0], name]));
  return Object.keys(beside).length < 2 ? asked : [...asked, ...in_path.map((one) => ({ ...one, beside }))];
}

/** Calls an operation as simply as it lets one, naming something in one place. */
function call(project: TestProject, operation: Operation, asked?: Asked): Promise<Answer> {
  const { method, path, body, body_type } = operation;
  const steps = (place: Reference["in"]) => (asked?.reference.in === place ? asked.reference.steps : []);
  const [in_path] = steps("path");
  const [in_query] = steps("query");
  const own = { code: twin_code, ...asked?.beside };
  const target = pathWith(path, in_path === undefined ? own : { ...own, [in_path]: asked?.name ?? "" });
  const query = new URLSearchParams();
  if (operation.parameters.some((one) => one.in === "query" && one.name === "code")) query.set("code", twin_code);
  if (in_query !== undefined) query.set(in_query, asked?.name ?? "");
  const api = callerOf(operation, project);
  if (!body) return api.send(method, `${target}?${query}`);
  const example = exampleOf(body, steps("body"), steps("body").length ? asked?.name : undefined);
  const sent = merged(fuller(operation.id, twin_code), example);
  return api.send(method, `${target}?${query}`, {
    raw: bodyText(sent, body_type),
    headers: { "content-type": body_type },
  });
}

/** The second laid over the first, object by object. */
function merged(under: unknown, over: unknown): unknown {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(under) || !isObject(over)) return over;
  const both = Object.entries(over).map(([name, value]) => [name, name in under ? merged(under[name], value) : value]);
  return { ...under, ...Object.fromEntries(both) };
}

/** What an answer says, but for the name asked for, and for ids, codes and tokens that are made up anew each time. */
function said({ status, body }: Answer, { name, beside = {} }: Asked): unknown {
  const text = [name, ...Object.values(beside)]
    .reduce((text, one) => text.replaceAll(JSON.stringify(one).slice(1, -1), "<asked>"), JSON.stringify(body))
    .replace(/"(tracking_id|access_token|client_id|channel_id|code|request_id|id|url)":"[^"]*"/g, '"$1":"<new>"')
    .replace(/\b[a-z]+_[0-9a-z]{27}\b/g, "<id>");
  return { status, body: JSON.parse(text) };
}

const unlisted = operations.flatMap((operation) =>
  referencesOf(operation)
    .filter(({ key }) => !(key in named_by))
    .map(({ in: place, key, steps }) => `${nameOf(operation)}: ${key} (${steps.join(".")} in the ${place})`),
);

test("every place that takes a name says in test/harness/references.ts what it names", () => {
  expect(unlisted).toEqual([]);
});

test("there is one of everything to keep apart", () => {
  const named = new Set(Object.values(named_by).flatMap((resources) => resources ?? []));
  expect(Object.keys(seeds)).toEqual(expect.arrayContaining([...named]));
});

describe("what one project has, another's key", async () => {
  const leavingAll = leavingAllOf(context, first.id);
  let pair = await twins();
  const everything = Object.values(seeds).flat();

  async function cannotReachBy(operation: Operation): Promise<void> {
    for (const one of questionsTo(operation)) {
      const answer = await call(pair[0], operation, one);
      const beside = Object.entries(one.beside ?? {}).map(([place, name]) => [place, unknownLike(name)]);
      const unknown = { ...one, name: unknownLike(one.name), beside: Object.fromEntries(beside) };
      const to_unknown = await call(pair[1], operation, unknown);
      expect(said(answer, one), `${one.reference.steps.join(".")} = ${one.name}`).toEqual(said(to_unknown, unknown));
      const sent = [one.name, ...Object.values(one.beside ?? {})];
      expect(everythingIn(answer).filter((name) => !sent.includes(name))).toEqual([]);
      await renewAfter(operation, answer);
    }
    const answer = await call(pair[0], operation);
    expect(everythingIn(answer)).toEqual([]);
    await renewAfter(operation, answer);
  }

  /** What was made by a call would answer the next one. */
  async function renewAfter({ method }: Operation, { status }: Answer): Promise<void> {
    if (method !== "GET" && status < 300) pair = await twins();
  }

  function everythingIn({ body }: Answer): string[] {
    const text = JSON.stringify(body);
    return everything.filter((name) => text.includes(name));
  }

  test.each(operations.map((operation) => ({ name: nameOf(operation), operation })))(
    "cannot reach by $name",
    ({ operation }) => leavingAll(() => cannotReachBy(operation)),
  );
});
