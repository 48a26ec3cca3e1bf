import { randomInt } from "node:crypto";
import type { Instant } from "../../platform/clock.js";

const lifetime_s = 900;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const token_length = 50;

/** A token as stored, but for its hash. */
export interface Token {
  /** The application key that minted it, whose rights it has. */
  api_key_id: string;
  scopes: string[];
  expires_at: Instant;
}

/** 50 letters and digits: 297 random bits. */
export function newAccessToken(): string {
  return Array.from({ length: token_length }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

/** Counted from the whole second, so that what is left is 900 at first and never 0 while the token works. */
export function expiryOf(made: Instant): Instant {
  return (seconds(made) + lifetime_s) * 1000;
}

/** The token as its owner sees it (seed.md, OAuth token object). */
export function toTokenBody(access_token: string, { api_key_id, scopes, expires_at }: Token, instant: Instant) {
  return {
    access_token,
    // The application is the client; its id is no secret, and tells an operator whose token this is.
    client_id: api_key_id,
    expires_at: seconds(expires_at),
    expires_in: seconds(expires_at) - seconds(instant),
    scope: scopes.join(" "),
    token_type: "Bearer" as const,
  };
}

/** What is said of a token that does not work, whatever the reason: nothing but that. */
export function inactiveTokenBody(access_token: string) {
  return { access_token, client_id: "", expires_at: 0, expires_in: 0, scope: "", token_type: "Bearer" as const };
}

function seconds(instant: Instant): number {
  return Math.floor(instant / 1000);
}
