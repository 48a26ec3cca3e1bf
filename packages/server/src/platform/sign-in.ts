/** As short as a password may be, and longer than anybody types. */
export const password_length = { min: 12, max: 256 };

/** One address, as somebody writes it who wants mail; what a mail program would take for two is none. */
export const isEmail = (text: string): boolean =>
  text.length <= 255 && /^[^\s@<>",;:()[\]\\]{1,64}@[^\s@<>",;:()[\]\\]+$/.test(text);
