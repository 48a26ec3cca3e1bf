import type { Instant } from "../../platform/clock.js";

/** Days of the past that a sample shop has, each with what customers did in it. */
export const days_max = 90;
export const day_ms = 86_400_000;

/** A sample shop as stored. */
export interface SampleShop {
  project_id: string;
  /** The project in which it was asked for. */
  asked_in: string;
  asked_at: Instant;
  status: "making" | "ready" | "failed";
  /** Days of its past that are there; the one before the first is that in which the shop is opened. */
  days: number;
}

/** One that a process makes. */
export interface LeasedShop extends SampleShop {
  key_id: string;
  key_sealed: Buffer | null;
  failures: number;
}

/** When its past begins. */
export const openedAt = ({ asked_at }: Pick<SampleShop, "asked_at">): Instant => asked_at - days_max * day_ms;

/** In percent; the day on which it is opened counts like the others. */
export const progressOf = ({ days }: Pick<SampleShop, "days">): number => Math.floor((100 * days) / (days_max + 1));
