import Type, { type TSchema } from "typebox";
import { expect, test } from "vitest";
import { type App, createApp } from "../src/platform/http/app.js";
import { named, nullable, withProblems } from "../src/platform/http/schema.js";
import { createLog } from "../src/platform/log.js";
import { createMetrics } from "../src/platform/metrics.js";

const Leaf = () => named("Leaf", Type.Object({ colour: Type.String() }));
const Tree = named("Tree", Type.Object({ leaf: nullable(Leaf()), leaves: Type.Optional(Type.Array(Leaf())) }));

/** An application whose one operation takes a tree and gives the answer. */
async function anApp(answer: unknown = {}, response: TSchema = Type.Object({})): Promise<App> {
  const app = await createApp({
    log: createLog("silent"),
    metrics: createMetrics(),
    check_responses: true,
    path_words: {},
  });
  app.post(
    "/trees",
    { schema: { body: Tree, response: withProblems({ 200: response }) } },
    async () => answer as object,
  );
  return app;
}

const send = (app: App, payload: object) => app.inject({ method: "POST", url: "/trees", payload });

test.each([
  [{ leaf: { colour: 7 } }, "Property .leaf.colour must be string"],
  [{ leaf: 7 }, "Property .leaf must be object,null"],
  [{ leaf: null, leaves: [{}] }, "Property .leaves[0] should have required property 'colour'"],
])("a named shape inside a body is checked: %j", async (payload, details) => {
  const app = await anApp();
  expect((await send(app, payload)).json()).toMatchObject({ key: "invalid_payload", details });
  expect((await send(app, { leaf: null })).statusCode).toBe(200);
  await app.close();
});

test("an answer with a field that its named shape does not know fails, however deep it stands", async () => {
  for (const [leaf, status] of [
    [{ colour: "red" }, 200],
    [{ colour: "red", veins: 7 }, 500],
  ] as const) {
    const app = await anApp({ leaf, leaves: [] }, Tree);
    expect((await send(app, { leaf: null })).statusCode).toBe(status);
    await app.close();
  }
});

test("two shapes cannot have one name", async () => {
  const app = await anApp();
  const Other = named("Leaf", Type.Object({ colour: Type.Integer() }));
  expect(() => app.post("/leaves", { schema: { body: Other } }, () => ({}))).toThrow(/two shapes are called Leaf/);
});
