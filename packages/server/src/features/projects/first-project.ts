import type { Config } from "../../config.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";
import { newId } from "../../platform/ids.js";
import { hashOfSecret, isSecret, newCredentialId, newSecret } from "../../platform/secrets.js";
import { makeProject, type NewKeyPair } from "./project.service.js";
import type { User } from "./user.js";
import { insertUser } from "./user.store.js";

/** The first project's credentials in clear; they are shown once and stored only as hashes. */
export interface FirstProject {
  project_id: string;
  server_key: NewKeyPair;
  client_key: NewKeyPair;
  management_key: { id: string; token: string };
}

/** The database was made with another secret key than this node has. */
export class SecretKeyDiffers extends Error {}

/**
 * Makes the first project and the management key when the database is empty; several nodes may try at once, one does
 * it. Answers null when the project is already there.
 *
 * @param keep keeps the credentials where they can be read again, before the commit: what it throws leaves the database empty.
 */
export async function makeFirstProject(
  context: Context,
  given: Config["first_project"],
  keep: (first: FirstProject) => Promise<void> = async () => undefined,
): Promise<FirstProject | null> {
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    const is_first = await tx.run(sql`-- every project: the installation is there before any
      insert into installation (secret_fingerprint, created_at)
      values (${context.seal.fingerprint}, ${isoOf(now)})
      on conflict (only_one) do nothing`);
    if (is_first === 0) {
      await assertSameSecretKey(tx, context.seal.fingerprint);
      await warnOfOtherCredentials(tx, context, given);
      return null;
    }
    const management_key = {
      id: given.management_id ?? newCredentialId(),
      token: given.management_token ?? newSecret(),
    };
    await insertManagementKey(tx, management_key, isoOf(now));
    await insertUser(tx, owner(given.owner_login, now));
    const made = await makeProject(
      tx,
      context,
      {
        id: given.project_id,
        fields: { name: "First project" },
        is_sandbox: true,
        server_key: { app_id: given.app_id, app_token: given.app_token },
        client_key: { app_id: given.client_id, app_token: given.client_token },
      },
      now,
    );
    const first = {
      project_id: made.project.id,
      server_key: made.server_side_key,
      client_key: made.client_side_key,
      management_key,
    };
    await keep(first);
    return first;
  });
}

/** Somebody owns the organization before anybody has signed in (platform.md §7). */
const owner = (login = "owner@localhost", created_at: Instant): User => ({
  ...{ id: newId("user"), login, email: login, first_name: "Owner", last_name: "Owner", is_owner: true },
  created_at,
});

async function assertSameSecretKey(db: Queries, fingerprint: string): Promise<void> {
  const { secret_fingerprint } = await db.one<{ secret_fingerprint: string }>(
    sql`-- every project: the installation has one key
      select installation.secret_fingerprint from installation`,
  );
  if (secret_fingerprint === fingerprint) return;
  throw new SecretKeyDiffers("GUERDON_SECRET_KEY differs from the key this database was made with");
}

async function warnOfOtherCredentials(db: Queries, { log }: Context, given: Config["first_project"]): Promise<void> {
  const pairs = [
    { table: sql`api_keys`, id: given.app_id, token: given.app_token, names: "GUERDON_APP_ID and GUERDON_APP_TOKEN" },
    {
      table: sql`api_keys`,
      id: given.client_id,
      token: given.client_token,
      names: "GUERDON_CLIENT_ID and GUERDON_CLIENT_TOKEN",
    },
    {
      table: sql`management_keys`,
      id: given.management_id,
      token: given.management_token,
      names: "GUERDON_MANAGEMENT_ID and GUERDON_MANAGEMENT_TOKEN",
    },
  ];
  for (const { table, id, token, names } of pairs) {
    if (!id || !token) continue;
    const stored = await db.maybe<{ token_hash: Buffer }>(sql`-- every project: a key's id names its project
      select token_hash from ${table} where id = ${id}`);
    if (!stored || !isSecret(token, stored.token_hash))
      log.warn(`${names} differ from what is stored; the stored ones count`);
  }
}

const insertManagementKey = (tx: Tx, { id, token }: FirstProject["management_key"], now: string) =>
  tx.run(sql`-- every project: management keys belong to the installation
    insert into management_keys (id, token_hash, created_at) values (${id}, ${hashOfSecret(token)}, ${now})`);
