import Type from "typebox";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { integer, oneOf, withProblems } from "../../platform/http/schema.js";
import { drawAsset } from "./asset.js";

const AssetParams = Type.Object({ id: Type.String({ maxLength: 2048, description: "The code, sealed." }) });
const AssetQuery = Type.Object({
  size: Type.Optional(integer({ minimum: 1, maximum: 100, description: "10 unless given." })),
  format: Type.Optional(oneOf(["png", "svg"])),
});

/** `/v1/assets`: images for e-mails, loaded without credentials (vouchers-and-campaigns.md §13). */
export function assetRoutes(app: App, context: Context): void {
  const tags = ["assets"];
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
          response: withProblems({ 200: Type.Unsafe<Buffer | string>({ description: "A PNG or SVG image." }) }),
        },
      },
      async (request, reply) => {
        const { type, image } = await drawAsset(context, kind, request.params.id, request.query);
        return reply.type(type).send(image);
      },
    );
  }
}
