/** 256 bytes a page. Of 64 codes of eight or twelve characters a fifth or a third of the bits are set. */
const bits = 2_048;
const gram = 3;
/** Bits that a part asks for; by then hardly a page is left that does not hold it. */
const asked_max = 8;

/**
 * A bit for every three characters that stand side by side in a page of codes: where one that a part has is missing, the page cannot hold the
 * part. What signs pages and what asks them is this file alone: pages that are signed keep what it said (docs/adr/0087).
 */
export function signatureOf(keys: string): Buffer {
  const signature = Buffer.alloc(bits / 8);
  for (let at = 0; at + gram <= keys.length; at += 1) {
    const bit = bitAt(keys, at);
    // As PostgreSQL's `get_bit` counts them.
    const byte = bit >> 3;
    signature[byte] = (signature[byte] ?? 0) | (1 << (bit & 7));
  }
  return signature;
}

/** Which bits a page must have that holds this; none where it is too short to tell. Of a long one the end, since codes begin alike. */
export function bitsOf(wanted: string): number[] {
  const found = new Set<number>();
  for (let at = wanted.length - gram; at >= 0 && found.size < asked_max; at -= 1) found.add(bitAt(wanted, at));
  return [...found];
}

/** Spreads what differs in one character over all bits, as the last step of MurmurHash3 does. */
function bitAt(text: string, at: number): number {
  const of_gram = (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 16_777_619 + text.charCodeAt(at + 2);
  const mixed = Math.imul(of_gram ^ (of_gram >>> 13), 0x85ebca6b);
  const spread = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((spread ^ (spread >>> 16)) >>> 0) % bits;
}
