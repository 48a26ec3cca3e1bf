import { toBuffer, toSVG } from "bwip-js/node";
import type { Context } from "../../platform/context.js";
import { problems } from "../../platform/http/problems.js";

export type AssetKind = "qr" | "barcode";

/** Pixels of width that one step of `size` stands for. */
const pixels_per_size = { qr: 10, barcode: 20 };
const symbols = {
  qr: { bcid: "qrcode", padding: 2 },
  barcode: { bcid: "code128", padding: 2, height: 10 },
};

/** The code of a voucher as an image; whoever has the asset's id may load it (vouchers-and-campaigns.md §13). */
export async function drawAsset(
  { seal }: Pick<Context, "seal">,
  kind: AssetKind,
  id: string,
  { size = 10, format = "png" }: { size?: number; format?: "png" | "svg" },
): Promise<{ type: string; image: Buffer | string }> {
  const code = seal.readToken("assets", id);
  const drawn = code === null ? null : symbolOf(kind, code, size);
  if (drawn === null) throw problems.notFound("asset", id);
  if (format === "svg") return { type: "image/svg+xml", image: toSVG(drawn) };
  return { type: "image/png", image: await toBuffer(drawn) };
}

/** The symbol at the scale that comes nearest to the size; null where Code 128 has no signs for the code. */
function symbolOf(kind: AssetKind, code: string, size: number) {
  const symbol = { ...symbols[kind], text: code, scale: 1 };
  // A long code has a larger symbol. With a fixed scale anybody could ask for images of 40 million pixels
  // (measured: 1.5 s for one), so the width of the image is fixed and the scale follows.
  const width = widthOf(symbol);
  if (width === null) return null;
  return { ...symbol, scale: Math.max(1, Math.floor((size * pixels_per_size[kind]) / width)) };
}

/** The library writes into the options it is given, so it gets a copy. */
function widthOf(symbol: Parameters<typeof toSVG>[0]): number | null {
  try {
    return Number(/viewBox="0 0 (\d+)/.exec(toSVG({ ...symbol }))?.[1] ?? 1);
  } catch {
    return null;
  }
}
