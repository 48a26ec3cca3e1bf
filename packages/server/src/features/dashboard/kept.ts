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
  /** Whether a list of them shows what they hold, or each has to be read. */
  lists_content: boolean;
}

export const kept: readonly Kept[] = [
  { noun: "views", kind: "view", id_prefix: "view", count_max: 100, bytes_max: 8_192, lists_content: true },
  { noun: "drafts", kind: "draft", id_prefix: "draft", count_max: 50, bytes_max: 262_144, lists_content: false },
];
