import type { Readable } from "node:stream";

/** What is taken of the answers of the database in one turn of the event loop (docs/bounds.md). */
export const taken_a_turn = 262_144;

/**
 * Has the answers of all connections taken a little in each turn of the event loop. A hundred rows of 64 KB are one stretch of 25 ms
 * otherwise: the driver makes values of each row as it comes, and the system hands over two megabytes at once.
 * @returns to be called with the stream of each connection, once the driver listens to it
 */
export function answersInSlices(): (stream: Pick<Readable, "on" | "pause" | "resume">) => void {
  let taken = 0;
  const paused = new Set<Pick<Readable, "resume">>();
  const goOn = () => {
    taken = 0;
    for (const stream of paused) stream.resume();
    paused.clear();
  };
  return (stream) => {
    stream.on("data", ({ length }: Buffer) => {
      if (taken === 0) setImmediate(goOn);
      taken += length;
      if (taken < taken_a_turn) return;
      stream.pause();
      paused.add(stream);
    });
  };
}
