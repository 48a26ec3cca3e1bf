import type { Plugin } from "rolldown";

/** For the bundler: literals of ours that begin with a spread and go on begin with the prototype that they have anyway. */
export const quickSpreads: Plugin;
