import { toBuffer, toSVG } from "bwip-js/node";
import type { Context } from "../../platform/context.js";
import { problems } from "../../platform/http/problems.js";

export type AssetKind = "qr" | "barcode";

/** How the code becomes an image: `scale` multiplies the smallest module, a bar's width or a QR square's side. */
function drawing(kind: AssetKind, code: string, size: number) {
  const scale = Math.max(1, Math.round(size / 2));
  if (kind === "qr") return { bcid: "qrcode", text: code, scale, padding: 2, binarytext: false };
  return { bcid: "code128", text: code, scale: Math.max(1, Math.round(size / 5)), height: 12, padding: 2 };
}

/** The code of a voucher as an image; whoever has the asset's id may load it (vouchers-and-campaigns.md §13). */
export async function drawAsset(
  { seal }: Pick<Context, "seal">,
  kind: AssetKind,
  id: string,
  { size = 10, format = "png" }: { size?: number; format?: "png" | "svg" },
): Promise<{ type: string; image: Buffer | string }> {
  const code = seal.readToken("assets", id);
  if (code === null) throw problems.notFound("asset", id);
  try {
    const drawn = drawing(kind, code, size);
    if (format === "svg") return { type: "image/svg+xml", image: toSVG(drawn) };
    return { type: "image/png", image: await toBuffer(drawn) };
  } catch {
    // Not every code can be a barcode: Code 128 knows no letters outside Latin-1, and a QR code holds 2,953 bytes.
    throw problems.notFound("asset", id);
  }
}
