import { createHmac } from "node:crypto";
import type { Instant } from "../../../platform/clock.js";

const hmac = (secret: string, text: string) => createHmac("sha256", Buffer.from(secret, "utf8")).update(text, "utf8");

/**
 * What a receiver can tell by that a message is ours (events-and-webhooks.md §2): the signature of the body, and the
 * headers of Standard Webhooks, whose signature holds the time too, so that an old message cannot be sent again by others.
 * One secret, the project's `webhook_token`; its UTF-8 bytes are the key of both.
 */
export const signatureHeaders = (id: string, body: string, { secret, at }: { secret: string; at: Instant }) => {
  const timestamp = String(Math.floor(at / 1000));
  return {
    "x-voucherify-signature": hmac(secret, body).digest("hex"),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${hmac(secret, `${id}.${timestamp}.${body}`).digest("base64")}`,
  };
};
