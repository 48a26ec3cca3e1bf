import type { RouteHandlerMethod } from "fastify";
import type { App } from "../../platform/http/app.js";
import { type MetadataPlace, metadataAt } from "../../platform/http/metadata.js";
import type { MetadataObject } from "../../terms/index.js";
import type { Call } from "./project.js";

/**
 * Holds all metadata that a request brings against the project's schemas, once its body is read and before anything is
 * looked up (rules.md §16). What only the change finds out, that it makes something, is looked at there once more. Call it
 * before what answers requests that are sent again: their answer is what it was.
 */
export function checkMetadata(app: App): void {
  app.addHook("onRoute", (route) => {
    const { handler, config: { metadata_places = [], makes = [], metadata_by_row = false, before_metadata } = {} } =
      route;
    if (metadata_places.length === 0 || metadata_by_row) return;
    // No promise of its own, since every request passes here.
    route.handler = function (request, reply) {
      try {
        if (request.call) assertMetadata(request.call, metadata_places, request.body, makes);
      } catch (refused) {
        return behind(before_metadata?.(request), refused);
      }
      return handler.call(this, request, reply);
    } satisfies RouteHandlerMethod;
  });
}

async function behind(what_goes_before: Promise<void> | undefined, refused: unknown): Promise<never> {
  await what_goes_before;
  throw refused;
}

/** @param makes what of it is made for certain, and must have all that is required */
export function assertMetadata(
  { metadata_schemas }: Pick<Call, "metadata_schemas">,
  places: readonly MetadataPlace[],
  body: unknown,
  makes: readonly string[] = [],
): void {
  if (metadata_schemas.is_empty) return;
  for (const { of, metadata } of metadataAt(places, body)) {
    metadata_schemas.assertFits(of as MetadataObject, metadata, { is_made: makes.includes(of) });
  }
}
