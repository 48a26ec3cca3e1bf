import { en, type Text } from "./en.js";

/** The words in the language of whoever looks; English is the only one yet. */
export const t: Text = en;

/** How numbers and dates are written. */
export const locale = "en-GB";
