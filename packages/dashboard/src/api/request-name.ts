const bytes = 16;

/**
 * A name for a request that makes something, for its `Idempotency-Key`: whoever sends it again, since no answer came, makes nothing
 * twice. Not `randomUUID`, which browsers keep from pages that came without TLS.
 */
export const newRequestName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
