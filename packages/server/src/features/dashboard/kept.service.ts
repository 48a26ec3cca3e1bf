import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { change, holding } from "../../recording/index.js";
import { refusals } from "../../terms/index.js";
import type { Call } from "../projects/index.js";
import { type Kept, keptSince } from "./kept.js";
import type { KeptFields, KeptUpdate } from "./kept.schemas.js";
import { countKept, deleteKept, findKept, type Keeper, type KeptPage, listKept, putKept } from "./kept.store.js";

export async function readAllKept({ db }: Context, call: Call, kept: Kept, page: string | undefined) {
  const rows = await listKept(db, keeperOf(call, kept), { page: page ?? null, with_content: kept.lists_content });
  return { data: rows.map(toBody) };
}

export const readKept = async ({ db }: Context, call: Call, kept: Kept, id: string) =>
  toBody(known(await findKept(db, keeperOf(call, kept), id), kept, id));

export async function createKept(context: Context, call: Call, kept: Kept, fields: KeptFields) {
  assertFits(kept, fields.content);
  const keeper = keeperOf(call, kept);
  return change(context, call, ({ tx }) =>
    holding(tx, [{ project_id: call.project_id, kind: "user", id: keeper.user_id }], async () => {
      if ((await countKept(tx, keeper)) >= kept.count_max) throw refusals.tooManyKept(kept.noun, kept.count_max);
      const made = { ...fields, id: newId(kept.id_prefix), created_at: call.instant, updated_at: call.instant };
      await putKept(tx, keeper, made);
      return toBody(made);
    }),
  );
}

/** The latest word counts: they are one person's, at one desk or two. */
export async function changeKept(context: Context, call: Call, kept: Kept, id: string, update: KeptUpdate) {
  if (update.content) assertFits(kept, update.content);
  const keeper = keeperOf(call, kept);
  return change(context, call, ({ tx }) =>
    holding(tx, [{ project_id: call.project_id, kind: "user", id: keeper.user_id }], async () => {
      const changed = { ...known(await findKept(tx, keeper, id), kept, id), ...update, updated_at: call.instant };
      await putKept(tx, keeper, changed);
      return toBody(changed);
    }),
  );
}

export async function removeKept(context: Context, call: Call, kept: Kept, id: string): Promise<void> {
  await change(context, call, async ({ tx }) => {
    if ((await deleteKept(tx, keeperOf(call, kept), id)) === 0) throw problems.notFound(kept.kind, id);
  });
}

function keeperOf({ project_id, caller, instant }: Call, kept: Kept): Keeper {
  if (caller.kind !== "user_session") throw problems.unauthorized();
  return { project_id, user_id: caller.user.id, kind: kept.kind, since: keptSince(kept, instant) };
}

function known(found: KeptPage | undefined, { kind }: Kept, id: string): KeptPage {
  if (!found) throw problems.notFound(kind, id);
  return found;
}

function assertFits({ bytes_max }: Kept, content: object): void {
  if (Buffer.byteLength(JSON.stringify(content)) > bytes_max)
    throw problems.invalidPayload(`Property .content must not be larger than ${bytes_max} bytes`);
}

const toBody = <Row extends Pick<KeptPage, "created_at" | "updated_at">>({ created_at, updated_at, ...row }: Row) => ({
  ...row,
  created_at: isoOf(created_at),
  updated_at: isoOf(updated_at),
});
