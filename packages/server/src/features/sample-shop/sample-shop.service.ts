import type { Context } from "../../platform/context.js";
import { newId } from "../../platform/ids.js";
import { change, type Requested } from "../../recording/index.js";
import { copyMembers, knownProject, makeProject, markDeleted, underProjectKey } from "../projects/index.js";
import { openedAt, progressOf, type SampleShop } from "./sample-shop.js";
import type { SampleShopBody } from "./sample-shop.schemas.js";
import { beginAgain, deleteSampleOf, findSample, insertSample } from "./sample-shop.store.js";

/** Rung when there is one to make. */
export const samples_bell = "samples";

const shop_fields = { name: "Sample shop", timezone: "Europe/Berlin", currency: "EUR", request_log_enabled: true };

/** `GET …/sample-shop`: that of the project, or the one that it is. */
export async function readSampleShop({ db }: Context, project_id: string): Promise<SampleShopBody> {
  await knownProject(db, project_id);
  return toBody(await findSample(db, project_id));
}

/**
 * `POST …/sample-shop`: begins one, or answers the one that is there; one that could not be made goes on. Whoever is in the project
 * is in the shop too, in the same role.
 */
export const askForSampleShop = (context: Context, cause: Requested): Promise<SampleShopBody> =>
  change(context, cause, (change) =>
    underProjectKey(change, async ({ id: asked_in }) => {
      const { tx, ring } = change;
      const { instant: asked_at } = cause;
      ring(samples_bell);
      const found = await findSample(tx, asked_in);
      if (found) {
        if ((await beginAgain(tx, found.project_id, asked_at)) > 0) return toBody({ ...found, status: "making" });
        return toBody(found);
      }
      await deleteSampleOf(tx, asked_in);
      const opened_at = openedAt({ asked_at });
      const wanted = { id: newId("proj"), fields: shop_fields, is_sandbox: false };
      const { project, server_side_key } = await makeProject(tx, context, wanted, opened_at);
      await copyMembers(tx, { from: asked_in, to: project.id }, opened_at);
      const shop = { project_id: project.id, asked_in, asked_at };
      const key = { key_id: server_side_key.app_id, key_sealed: context.seal.seal(server_side_key.app_token) };
      await insertSample(tx, { ...shop, ...key });
      return toBody({ ...shop, status: "making", days: 0 });
    }),
  );

/** `DELETE …/sample-shop`: takes it away with all that is in it. No other project can be taken away so. */
export async function removeSampleShop(context: Context, cause: Requested): Promise<void> {
  await change(context, cause, async ({ tx }) => {
    await knownProject(tx, cause.project_id);
    const found = await findSample(tx, cause.project_id);
    if (!found) return;
    await markDeleted(tx, found.project_id, cause.instant);
    await deleteSampleOf(tx, found.asked_in);
  });
}

const toBody = (shop: SampleShop | undefined): SampleShopBody => ({
  object: "sample_shop",
  status: shop?.status ?? "none",
  project_id: shop?.project_id ?? null,
  progress: shop ? (shop.status === "ready" ? 100 : progressOf(shop)) : 0,
});
