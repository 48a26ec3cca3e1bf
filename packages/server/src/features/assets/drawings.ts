import { Worker } from "node:worker_threads";
import { problems } from "../../platform/http/problems.js";
import type { Log } from "../../platform/log.js";

export interface Drawing {
  kind: "qr" | "barcode";
  code: string;
  size: number;
  format: "png" | "svg";
}

export interface DrawingBounds {
  /** Drawings that wait for the thread; beyond them a caller is told to come back. One takes 10 to 150 ms. */
  waiting_max: number;
  /** Of images that are kept, with their codes; the one that was asked for longest ago goes first. */
  kept_bytes_max: number;
}

export const drawing_bounds: DrawingBounds = { waiting_max: 64, kept_bytes_max: 16 * 2 ** 20 };

/** Images of codes: drawn once on a thread of their own, then kept. Null: the symbol has no signs for the code. */
interface Drawings {
  kept(drawing: Drawing): Uint8Array | null | undefined;
  /** Throws the refusal where too many wait. */
  draw(drawing: Drawing): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

interface Waiting {
  drawing: Drawing;
  resolve(image: Uint8Array | null): void;
  reject(error: Error): void;
}

const keyOf = ({ kind, size, format, code }: Drawing) => `${kind} ${size} ${format} ${code}`;

export function openDrawings(log: Pick<Log, "error">, bounds: DrawingBounds = drawing_bounds): Drawings {
  const images = keepImages(bounds.kept_bytes_max);
  const under_way = new Map<string, Promise<Uint8Array | null>>();
  const waiting: Waiting[] = [];
  let thread: Worker | undefined;
  let drawn_now: Waiting | undefined;

  function next(): void {
    drawn_now ??= waiting.shift();
    if (drawn_now === undefined) return;
    thread ??= startThread();
    thread.postMessage(drawn_now.drawing);
  }

  /** Made when first needed: most processes never draw. */
  function startThread(): Worker {
    const made = new Worker(new URL("./draw.worker.js", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    made.unref();
    made.on("message", (image: Uint8Array | null) => end(({ resolve }) => resolve(image)));
    // What it died of was the drawing that it had; the others get a new one.
    made.on("error", (err) => {
      log.error({ err }, "the thread that draws codes has ended");
      thread = undefined;
      end(({ reject }) => reject(problems.busy("The image could not be drawn. Try again.")));
    });
    return made;
  }

  function end(tell: (ended: Waiting) => void): void {
    const ended = drawn_now;
    drawn_now = undefined;
    if (ended) tell(ended);
    next();
  }

  async function drawAndKeep(drawing: Drawing): Promise<Uint8Array | null> {
    const image = await new Promise<Uint8Array | null>((resolve, reject) => {
      waiting.push({ drawing, resolve, reject });
      if (!drawn_now) next();
    });
    images.keep(keyOf(drawing), image);
    return image;
  }

  return {
    kept: (drawing) => images.find(keyOf(drawing)),
    draw(drawing) {
      const key = keyOf(drawing);
      const same = under_way.get(key);
      if (same !== undefined) return same;
      if (waiting.length >= bounds.waiting_max) throw problems.busy("Too many images are being drawn. Try again.");
      const drawn = drawAndKeep(drawing).finally(() => under_way.delete(key));
      under_way.set(key, drawn);
      return drawn;
    },
    async close() {
      const error = problems.busy("The service is stopping.");
      for (const { reject } of [...(drawn_now ? [drawn_now] : []), ...waiting.splice(0)]) reject(error);
      await thread?.terminate();
    },
  };
}

/** Images by the order in which they were asked for last, within so many bytes. */
function keepImages(bytes_max: number) {
  const images = new Map<string, Uint8Array | null>();
  let bytes = 0;
  const bytesOf = (key: string, image: Uint8Array | null) => 2 * key.length + (image?.byteLength ?? 0);
  function drop(key: string): void {
    bytes -= bytesOf(key, images.get(key) ?? null);
    images.delete(key);
  }
  return {
    find(key: string): Uint8Array | null | undefined {
      const image = images.get(key);
      if (image === undefined) return undefined;
      images.delete(key);
      images.set(key, image);
      return image;
    },
    keep(key: string, image: Uint8Array | null): void {
      images.set(key, image);
      bytes += bytesOf(key, image);
      for (const oldest of images.keys()) {
        if (bytes <= bytes_max) break;
        drop(oldest);
      }
    },
  };
}
