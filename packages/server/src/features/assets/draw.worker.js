// The thread that draws: one symbol after another, so that the thread of requests goes on meanwhile. It is JavaScript, since
// a thread is started from a file, and in tests there is none but the source.
import { parentPort } from "node:worker_threads";
import { toBuffer, toSVG } from "bwip-js/node";

/** Pixels of width that one step of `size` stands for, and the most there are: who needs more takes the SVG. */
const widths = { qr: { per_size: 10, most: 600 }, barcode: { per_size: 20, most: 1_000 } };
const symbols = {
  qr: { bcid: "qrcode", padding: 2 },
  barcode: { bcid: "code128", padding: 2, height: 10 },
};

/**
 * Null where the symbol has no signs for the code.
 * @param {import("./drawings.js").Drawing} drawing
 * @returns {Promise<Uint8Array | null>}
 */
async function draw({ kind, code, size, format }) {
  const symbol = { ...symbols[kind], text: code, scale: 1 };
  // A long code has a larger symbol. With a fixed scale anybody could ask for images of 40 million pixels (measured: 1.5 s
  // for one), so the width of the image is fixed and the scale follows.
  const width = widthOf(symbol);
  if (width === null) return null;
  const { per_size, most } = widths[kind];
  const drawn = { ...symbol, scale: Math.max(1, Math.floor(Math.min(size * per_size, most) / width)) };
  return format === "svg" ? new TextEncoder().encode(toSVG(drawn)) : new Uint8Array(await toBuffer(drawn));
}

/**
 * The library writes into the options it is given, so it gets a copy.
 * @param {Parameters<typeof toSVG>[0]} symbol
 */
function widthOf(symbol) {
  try {
    return Number(/viewBox="0 0 (\d+)/.exec(toSVG({ ...symbol }))?.[1] ?? 1);
  } catch {
    return null;
  }
}

parentPort?.on("message", async (drawing) => {
  const image = await draw(drawing);
  parentPort?.postMessage(image);
});
