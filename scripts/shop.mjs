// A sample shop in a project of its own: `npm run demo -- --shop`, and taken away again by `npm run demo -- --shop --remove`. The service
// makes it, as it does for whoever presses the button of an empty overview; here one waits for it.
import { setTimeout as sleep } from "node:timers/promises";

/** Why the shop cannot be made or taken away; one line. */
export class ShopRefused extends Error {}

/** A slow machine takes a minute. */
const made_within_ms = 10 * 60_000;

const sampleShopOf = ({ url, project_id, management_id, management_token }) => {
  const headers = { "x-management-id": management_id, "x-management-token": management_token };
  return async (method) => {
    const answer = await fetch(`${url}/management/v1/projects/${project_id}/sample-shop`, { method, headers });
    const text = await answer.text();
    const told = text ? JSON.parse(text) : null;
    if (!answer.ok) throw Object.assign(new Error(told?.message), { code: told?.code, details: told?.details });
    return told;
  };
};

/** Asks for the sample shop and waits until it is there; `report` is told how far it is, in percent. */
export async function openShop({ report = () => {}, before_poll = () => {}, ...service }) {
  const sampleShop = sampleShopOf(service);
  const begun = Date.now();
  for (let shop = await sampleShop("POST"), told = -1; ; shop = await sampleShop("GET")) {
    if (shop.status === "ready") return shop.project_id;
    if (shop.status === "failed") throw new ShopRefused("the shop could not be made; the service's log says why");
    if (shop.status === "none") throw new ShopRefused("somebody took the shop away");
    if (Date.now() - begun > made_within_ms)
      throw new ShopRefused(
        `the shop stands at ${shop.progress} %; is a Guerdon running whose GUERDON_ROLE is not api?`,
      );
    if (shop.progress > told) report(shop.progress);
    told = shop.progress;
    await before_poll();
    await sleep(200);
  }
}

/** Takes the sample shop away with all that is in it. */
export async function removeShop(service) {
  const sampleShop = sampleShopOf(service);
  const { project_id } = await sampleShop("GET");
  if (project_id === null) throw new ShopRefused("there is no sample shop");
  await sampleShop("DELETE");
  return project_id;
}
