import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import packed from "@sparticuz/chromium";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { beforeAll, expect, onTestFinished } from "vitest";
import type { Installation } from "./service.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const screenshots = fileURLToPath(new URL("../../screenshots", import.meta.url));

let browser: Browser | undefined;

/** One browser for all files of a worker, which ends with it. Call it at the top. */
export function withBrowser(): void {
  beforeAll(async () => {
    if (browser?.isConnected()) return;
    const executablePath = process.env.GUERDON_CHROME || (await packed.executablePath());
    // Our own arguments: those of the package switch off what keeps sites apart, and with it what we test of that.
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--headless=shell"] });
  });
}

/** A page that has never been here, and what its console complained about. */
export async function aPage(): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  if (!browser) throw new Error("withBrowser() was not called");
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") console.error(await shownBy(page));
    await context.close();
  });
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    // A refusal is an answer, which the page shows; the browser tells of it all the same.
    const is_refusal = /status of (4\d\d|503)/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !is_refusal) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { page, context, complaints };
}

/** For whoever reads why a test failed on a machine that is not theirs. */
async function shownBy(page: Page): Promise<string> {
  try {
    return `${page.url()} shows:\n${await page.locator("body").innerText({ timeout: 1_000 })}`;
  } catch (error) {
    return `what ${page.url()} shows cannot be read: ${error}`;
  }
}

/** The page of somebody who is signed in. */
export async function aPageOf(installation: Installation, role: "ADMIN" | "VIEWER" = "ADMIN") {
  const opened = await aPage();
  const cookie = await installation.cookieOf(role);
  await opened.context.addCookies([{ ...cookie, url: installation.url }]);
  const here = `${installation.url}/p/${installation.project_id}`;
  return { ...opened, here };
}

/** Counts what is pressed from here on. */
export async function clicksOn(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = window as unknown as { clicks: number };
    counted.clicks = 0;
    // A press that a keyboard makes, as Enter in a form does, has no pointer.
    addEventListener("click", ({ detail }) => (counted.clicks += detail > 0 ? 1 : 0), true);
  });
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
}

/** Each beside the one before it, since another width lays the page out anew. */
const looks = [
  { width: 1440, colour: "light" },
  { width: 1440, colour: "dark" },
  { width: 375, colour: "dark" },
  { width: 375, colour: "light" },
] as const;

/**
 * Looks at a page as people will: in both colours, wide and narrow. Nothing is wrong with it for a reader, nothing sticks out at the
 * side, and its pictures are kept for whoever wants to see them.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  let shown: string | undefined;
  for (const { width, colour } of looks) {
    if (page.viewportSize()?.width !== width) await widen(page, width);
    if (colour !== shown) await paint(page, colour);
    shown = colour;
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.screenshot({ path: `${screenshots}/${name}-${colour}-${width}.png` });
    // Another colour changes what can be read, and nothing else that axe looks at.
    const only = colour === "light" ? null : "color-contrast";
    // What draws itself anew for a colour does so frames later where the machine is busy; what is wrong stays so.
    await expect
      .poll(() => faultsOf(page, only), {
        message: `${name}, ${colour}, ${width} wide`,
        timeout: 10_000,
        interval: 100,
      })
      .toEqual([]);
    const sticks_out = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(sticks_out, `${name} is wider than ${width}`).toBeLessThanOrEqual(0);
  }
  await widen(page, 1440);
}

const widen = (page: Page, width: 1440 | 375) => page.setViewportSize({ width, height: width === 375 ? 812 : 900 });

/** Resolves when the page shows the colour: it hears of another one with a frame, and is painted with the next ones. */
async function paint(page: Page, colour: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: colour, reducedMotion: "reduce" });
  await page.evaluate(async (wanted) => {
    const { dataset } = document.documentElement;
    const frame = () => new Promise((resume) => requestAnimationFrame(resume));
    while (dataset.mantineColorScheme !== wanted) await frame();
    for (let frames = 0; frames < 2; frames += 1) await frame();
  }, colour);
}

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
}

/**
 * What axe finds serious, a line each.
 * @param only the one rule that is asked; null: all
 */
async function faultsOf(page: Page, only: string | null): Promise<string[]> {
  // Said to the page by the debugger: as a script of its own our Content-Security-Policy would keep it out.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const asked = { resultTypes: ["violations"], ...(only && { runOnly: [only] }) };
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(asked)})`)) as AxeResult;
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
