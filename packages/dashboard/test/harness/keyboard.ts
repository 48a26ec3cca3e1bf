import type { Locator, Page } from "playwright-core";

/** As far as anybody goes with Tab before they give up: a page with its navigation, a table and a form. */
const presses_max = 80;

/** Somebody without a pointer: goes on with Tab until what they look for has the focus, and then presses it or writes into it. */
export interface Keyboard {
  to(wanted: Locator): Promise<void>;
  press(wanted: Locator, key?: "Enter" | "Space"): Promise<void>;
  /** In place of what stands there. */
  write(wanted: Locator, text: string): Promise<void>;
  /** What the search finds first. */
  search(text: string): Promise<void>;
}

export function keyboardOf(page: Page): Keyboard {
  async function to(wanted: Locator): Promise<void> {
    await wanted.first().waitFor();
    for (let presses = 0; presses < presses_max; presses += 1) {
      const at = await focusOn(wanted);
      if (at === "it") return;
      // Of radio buttons Tab reaches one alone; arrows go from there, and choose.
      await page.keyboard.press(at === "beside" ? "ArrowDown" : "Tab");
    }
    throw new Error(`${presses_max} times Tab do not reach ${String(wanted)}`);
  }

  async function press(wanted: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
    await to(wanted);
    await page.keyboard.press(key);
  }

  return {
    to,
    press,
    async write(wanted, text) {
      await to(wanted);
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(text);
    },
    async search(text) {
      await page.keyboard.press("Control+k");
      await page.keyboard.insertText(text);
      await page.keyboard.press("Enter");
    },
  };
}

/** Whether it has the focus, or another radio button of its group. */
const focusOn = (wanted: Locator): Promise<"it" | "beside" | "elsewhere"> =>
  wanted.evaluateAll((found) => {
    const focused = document.activeElement as HTMLInputElement | null;
    if (found.some((one) => one === focused)) return "it";
    const is_beside =
      focused?.type === "radio" &&
      found.some(
        (one) => (one as HTMLInputElement).type === "radio" && (one as HTMLInputElement).name === focused.name,
      );
    return is_beside ? "beside" : "elsewhere";
  });
