import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from "node:crypto";

/** SHA-256 of a credential: what is stored. Credentials carry 256 random bits, so no salt is needed. */
export function hashOfSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** Compares in constant time. */
export function isSecret(secret: string, hash: Buffer): boolean {
  return timingSafeEqual(hashOfSecret(secret), hash);
}

/** A new credential id: looks like a UUID, as clients of the reference service expect. */
export function newCredentialId(): string {
  return randomUUID();
}

/** A new credential secret: 256 random bits, since a UUID carries only 122. */
export function newSecret(): string {
  const hex = randomBytes(32).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Keeps secrets that must be readable again (architecture.md §11). */
export interface Seal {
  /** Names the key without giving it away, so that a node with another key is refused at its start. */
  readonly fingerprint: string;
  seal(text: string): Buffer;
  open(sealed: Buffer): string;
  /** The same text gives the same token, which only this installation can read back. */
  token(purpose: string, text: string): string;
  /** Null when the token was not made here for this purpose. */
  readToken(purpose: string, token: string): string | null;
}

/** @param key 32 bytes */
export function createSeal(key: Buffer): Seal {
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", key, "", `guerdon ${purpose}`, 32));
  const sealing = derive("seal");
  const token_keys = new Map<string, { naming: Buffer; hiding: Buffer }>();
  const tokenKeys = (purpose: string) => {
    const known = token_keys.get(purpose) ?? {
      naming: derive(`${purpose} naming`),
      hiding: derive(`${purpose} hiding`),
    };
    if (token_keys.size < 10_000) token_keys.set(purpose, known);
    return known;
  };
  const nameOf = (naming: Buffer, text: string) => createHmac("sha256", naming).update(text).digest().subarray(0, 16);

  return {
    fingerprint: createHmac("sha256", derive("fingerprint")).update("guerdon").digest("hex").slice(0, 16),
    seal(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", sealing, nonce);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      const cipher = createDecipheriv("aes-256-gcm", sealing, sealed.subarray(0, 12));
      cipher.setAuthTag(sealed.subarray(12, 28));
      return Buffer.concat([cipher.update(sealed.subarray(28)), cipher.final()]).toString("utf8");
    },
    token(purpose, text) {
      // The name of the text serves as the nonce, so equal texts give equal tokens and any change is noticed.
      const { naming, hiding } = tokenKeys(purpose);
      const name = nameOf(naming, text);
      const cipher = createCipheriv("aes-256-ctr", hiding, name);
      return Buffer.concat([name, cipher.update(text, "utf8"), cipher.final()]).toString("base64url");
    },
    readToken(purpose, token) {
      const bytes = Buffer.from(token, "base64url");
      if (bytes.length < 16 || bytes.toString("base64url") !== token) return null;
      const { naming, hiding } = tokenKeys(purpose);
      const name = bytes.subarray(0, 16);
      const cipher = createDecipheriv("aes-256-ctr", hiding, name);
      const text = Buffer.concat([cipher.update(bytes.subarray(16)), cipher.final()]).toString("utf8");
      return timingSafeEqual(nameOf(naming, text), name) ? text : null;
    },
  };
}
