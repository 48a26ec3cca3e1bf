import type { TestProject } from "vitest/node";
import { buildDashboard } from "../../../scripts/dashboard/build.mjs";
import startDatabase from "../../server/test/global-setup.js";

/** The pages as they ship, and the run's PostgreSQL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildDashboard();
  return startDatabase(project);
}
