import { keep, kept } from "./kept.js";

/** Whether letters are keys: who speaks to their computer switches them off. */
export const areLettersOn = (): boolean => kept("letters") !== "off";

export const switchLetters = (on: boolean): void => keep("letters", on ? null : "off");

/** Whether what is pressed there is written. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
