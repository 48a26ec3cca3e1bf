import { expect, test } from "vitest";
import { startService } from "../harness/service.js";
import { contract_operations } from "./operations.fixtures.js";

const { api, project } = await startService();

/** What a client of the reference service may call and is not answered here yet. */
const not_yet: readonly string[] = [];

/** Whether somebody is at home at an address, for ids that nobody has. */
async function isServed(operation: string): Promise<boolean> {
  const [method = "", path = ""] = operation.split(" ");
  const asked = path.replace("{projectId}", project.id).replaceAll(/\{\w+\}/g, "nobody");
  const { status, body } = await api.send(method, asked, method === "GET" ? {} : { raw: "{}" });
  return status !== 405 && body?.details !== `Cannot find ${method} ${asked}`;
}

test("every operation of version 1 of the contract is served", async () => {
  const served = await Promise.all(contract_operations.map(isServed));
  expect(contract_operations.filter((_, i) => !served[i])).toEqual(not_yet);
});
