import { type Answering, type Line, openLine } from "./line.js";

/** The line of a process to the keeper that has started it. Should the keeper die, `node:cluster` ends this process at once. */
export function lineToKeeper(answering: Answering): Line {
  return openLine(
    {
      send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
      onMessage: (listener) => process.on("message", listener),
      onEnd: (listener) => process.once("disconnect", listener),
    },
    answering,
  );
}
