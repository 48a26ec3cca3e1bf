import Type from "typebox";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { addressLimiter } from "../../platform/http/browsers/address-limit.js";
import { problems } from "../../platform/http/problems.js";
import { integer, NoContent, oneOf, withProblems } from "../../platform/http/schema.js";
import { assetOf, isKnown } from "./asset.js";
import { openDrawings } from "./drawings.js";

const AssetParams = Type.Object({ id: Type.String({ maxLength: 2048, description: "The code, sealed." }) });
const AssetQuery = Type.Object({
  size: Type.Optional(integer({ minimum: 1, maximum: 100, description: "10 unless given." })),
  format: Type.Optional(oneOf(["png", "svg"])),
});

/** The code and the image never change. An address that is no longer right names a voucher that is gone. */
const cache_control = "public, max-age=604800";

/** How many images that are not kept one address may have drawn: nobody asks for keys here. */
export const drawings_per_address = { calls_max: 100, window_ms: 10_000, addresses_max: 10_000 };

/** `/v1/assets`: images for e-mails, loaded without credentials (vouchers-and-campaigns.md §13). */
export function assetRoutes(app: App, context: Context): void {
  const tags = ["assets"];
  const drawings = openDrawings(context.log);
  app.addHook("onClose", () => drawings.close());
  const countTogether = context.countCalls?.("drawings", drawings_per_address);
  const countDrawing = addressLimiter(app, drawings_per_address, () => context.clock.now(), countTogether);
  for (const kind of ["qr", "barcode"] as const) {
    app.get(
      `/v1/assets/${kind}/:id`,
      {
        config: { credentials: "none", any_accept: true },
        schema: {
          operationId: `get-${kind}-code`,
          tags,
          params: AssetParams,
          querystring: AssetQuery,
          response: withProblems({
            200: Type.Unsafe<Uint8Array>({ description: "A PNG or SVG image." }),
            304: NoContent,
          }),
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const asset = assetOf(context, kind, id, request.query);
        void reply.headers({ "cache-control": cache_control, etag: asset.etag });
        if (isKnown(asset.etag, request.headers["if-none-match"])) return reply.code(304).send(null);
        let image = drawings.kept(asset);
        if (image === undefined) {
          await countDrawing(request, reply);
          image = await drawings.draw(asset);
        }
        if (image === null) throw problems.notFound("asset", id);
        return reply.type(asset.format === "svg" ? "image/svg+xml" : "image/png").send(image);
      },
    );
  }
}
