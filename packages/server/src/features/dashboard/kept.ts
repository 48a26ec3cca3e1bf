import type { Instant } from "../../platform/clock.js";

/** What somebody keeps of pages for themselves, in a project. */
export interface Kept {
  /** As it stands in the URL. */
  noun: "views" | "drafts";
  kind: "view" | "draft";
  id_prefix: string;
  /** Of one person in one project. */
  count_max: number;
  /** Of the JSON of one. */
  bytes_max: number;
  /** How long one is kept that nobody changes; null: for as long as its project. */
  days_max: number | null;
  /** Whether a list of them shows what they hold, or each has to be read. */
  lists_content: boolean;
}

export const kept: readonly Kept[] = [
  {
    noun: "views",
    kind: "view",
    id_prefix: "view",
    count_max: 100,
    bytes_max: 8_192,
    days_max: null,
    lists_content: true,
  },
  {
    noun: "drafts",
    kind: "draft",
    id_prefix: "draft",
    count_max: 50,
    bytes_max: 262_144,
    days_max: 90,
    lists_content: false,
  },
];

const day_ms = 86_400_000;

/** What was changed before then is over; null: nothing is. */
export const keptSince = ({ days_max }: Pick<Kept, "days_max">, instant: Instant): Instant | null =>
  days_max === null ? null : instant - days_max * day_ms;
