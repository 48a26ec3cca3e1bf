import type { TestProject } from "../../../test/harness/service.js";

type Project = Pick<TestProject, "api">;

let made = 0;

/** A reward of the project; fields as of `POST /v1/rewards`, a product unless they say otherwise. */
export async function aReward({ api }: Project, fields: Record<string, unknown> = {}) {
  const parameters = fields.parameters ?? { product: { id: await aProduct({ api }) } };
  const { body } = await api.post("/v1/rewards", { name: `Reward ${++made}`, ...fields, parameters }, 200);
  return body as { id: string; name: string; type: string };
}

async function aProduct({ api }: Project): Promise<string> {
  return (await api.post("/v1/products", { name: `Mug ${++made}` }, 200)).body.id;
}

/** Has a program give a reward at a price, in points; null where points are paid with. */
export async function given(
  { api }: Project,
  program: { id: string },
  reward: { id: string },
  points: number | null = null,
  validation_rules: readonly string[] = [],
): Promise<{ id: string }> {
  const parameters = points === null ? null : { loyalty: { points } };
  const fields = { campaign: program.id, parameters, validation_rules };
  return (await api.post(`/v1/rewards/${reward.id}/assignments`, fields, 200)).body;
}

/** Pays `exchange_ratio` major units for `points_ratio` points. */
export const coin = (points_ratio: number, exchange_ratio: number) => ({
  parameters: { coin: { points_ratio, exchange_ratio } },
});
