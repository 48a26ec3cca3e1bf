const bytes = 16;

/**
 * A name for a request that makes something, for its `Idempotency-Key`: whoever sends it again, since no answer came, makes nothing
 * twice. Not `randomUUID`, which browsers keep from pages that came without TLS.
 */
export const newRequestName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The name of one of several requests that belong together: the same for the same body, and another for another. */
export const requestNameOf = (together: string, body: object): string =>
  `${together}-${digestOf(JSON.stringify(body))}`;

/** Two sums of 32 bits each: enough for the few bodies of one form, where nobody wants to deceive. */
function digestOf(text: string): string {
  let one = 0x811c9dc5;
  let two = 0x1b873593;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x5bd1e995) ^ (two >>> 15);
  }
  return [one, two].map((sum) => (sum >>> 0).toString(16)).join("");
}
