const kept_as = "guerdon.letters";

/** Whether letters are keys: who speaks to their computer switches them off. */
export function areLettersOn(): boolean {
  try {
    return localStorage.getItem(kept_as) !== "off";
  } catch {
    return true;
  }
}

export function switchLetters(on: boolean): void {
  try {
    if (on) localStorage.removeItem(kept_as);
    else localStorage.setItem(kept_as, "off");
  } catch {
    // A browser that keeps nothing has them again next time.
  }
}

/** Whether what is pressed there is written. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
