import type { Plugin } from "rolldown";

/** For the bundler: `list.flatMap(of)` of ours becomes a function that loops. */
export const quickFlatMaps: Plugin;
