import packed from "@sparticuz/chromium";
import type { TestProject } from "vitest/node";
import { buildDashboard } from "../../../scripts/dashboard/build.mjs";
import startDatabase from "../../server/test/global-setup.js";

/** The pages as they ship, a browser, and the run's PostgreSQL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildDashboard();
  // Before there are workers: one that starts the browser while another still unpacks it is told that its file is busy.
  if (!process.env.GUERDON_CHROME) await packed.executablePath();
  return startDatabase(project);
}
