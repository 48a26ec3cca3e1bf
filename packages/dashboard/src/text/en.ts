import { frame } from "./en/frame.js";
import { settings } from "./en/settings.js";
import { signing } from "./en/signing.js";

/** Every word that people read. This object is the type of every other language. */
export const en = { ...frame, ...signing, ...settings };

export type Text = typeof en;
