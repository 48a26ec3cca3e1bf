import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { problems } from "../../platform/http/problems.js";
import { hashOfSecret, newCredentialId, newSecret } from "../../platform/secrets.js";
import { type Change, change, type Requested } from "../../recording/index.js";
import { refusals } from "../../terms/index.js";
import {
  deleteKey,
  findKey,
  insertApiKeys,
  knownRole,
  listKeys,
  networkOf,
  putKeyToken,
  type ShownKey,
  underProjectKey,
  updateKey,
} from "../projects/index.js";
import type { KeyCreate, KeyUpdate } from "./key.schemas.js";

/** All of them are read with their project. */
export const keys_max = 100;

export const readKeys = async ({ db }: Context, project_id: string) => ({
  keys: (await listKeys(db, project_id)).map(toBody),
});

export async function createKey(context: Context, cause: Requested, input: KeyCreate) {
  const { name, kind, role = "ADMIN", is_integration = false } = input;
  if (kind === "client" && is_integration)
    throw problems.invalidPayload("Property .is_integration is of server-side keys alone");
  const allowed_addresses = networksOf(kind, input.allowed_addresses ?? []);
  const token = newSecret();
  const key = { id: newCredentialId(), kind, name, role, blocked: false, is_integration, allowed_addresses };
  return editKeys(context, cause, async ({ tx }) => {
    await knownRole(tx, role);
    if ((await listKeys(tx, cause.project_id)).length >= keys_max) throw refusals.tooManyKeys(keys_max);
    await insertApiKeys(tx, cause.project_id, [{ ...key, token_hash: hashOfSecret(token) }], cause.instant);
    return { ...toBody({ ...key, created_at: cause.instant, last_used_at: null }), token };
  });
}

export const changeKey = (context: Context, cause: Requested, id: string, update: KeyUpdate) =>
  editKeys(context, cause, async (change) => {
    const known = await knownKey(change, id);
    if (update.role !== undefined) await knownRole(change.tx, update.role);
    const { allowed_addresses = known.allowed_addresses } = update;
    const key = { ...known, ...update, allowed_addresses: networksOf(known.kind, allowed_addresses) };
    await updateKey(change.tx, cause.project_id, key);
    return toBody(key);
  });

/** Another secret for the same key: the former one stops with the next request, tokens that it minted live on. */
export async function renewKey(context: Context, cause: Requested, id: string) {
  const token = newSecret();
  return editKeys(context, cause, async (change) => {
    const key = await knownKey(change, id);
    await putKeyToken(change.tx, cause.project_id, id, hashOfSecret(token));
    return { ...toBody(key), token };
  });
}

export const removeKey = (context: Context, cause: Requested, id: string) =>
  editKeys(context, cause, async (change) => {
    await knownKey(change, id);
    await deleteKey(change.tx, cause.project_id, id);
  });

/** Every node reads the project's keys anew with its next request. */
const editKeys = <Answer>(
  context: Context,
  cause: Requested,
  work: (change: Change) => Promise<Answer>,
): Promise<Answer> =>
  change(context, cause, (change) =>
    underProjectKey(change, async ({ id }) => {
      change.edited({ kind: "project", id });
      return work(change);
    }),
  ) as Promise<Answer>;

async function knownKey({ tx, cause }: Change, id: string): Promise<ShownKey> {
  const key = await findKey(tx, cause.project_id, id);
  if (!key) throw problems.notFound("api_key", id);
  return key;
}

/** As they are kept, each once. The client side has its own list, of trusted domains. */
function networksOf(kind: ShownKey["kind"], allowed_addresses: readonly string[]): string[] {
  if (kind === "client" && allowed_addresses.length > 0) {
    throw problems.invalidPayload("Property .allowed_addresses is of server-side keys alone");
  }
  const networks = allowed_addresses.map((text, i) => {
    const network = networkOf(text);
    if (network !== null) return network;
    throw problems.invalidPayload(
      `Property .allowed_addresses.${i} must be an address, or a network such as 10.0.0.0/8`,
    );
  });
  return [...new Set(networks)];
}

const toBody = ({ id, kind, name, role, blocked, is_integration, allowed_addresses, ...times }: ShownKey) => ({
  ...{ id, kind, name, role, blocked, is_integration },
  allowed_addresses: [...allowed_addresses],
  created_at: isoOf(times.created_at),
  last_used_at: isoOf(times.last_used_at),
});
