import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { hashOfSecret, newSecret } from "../../platform/secrets.js";
import { holding } from "../../recording/index.js";
import { refusals } from "../../terms/index.js";
import { findFirstOwner, findUser, findUserByEmail, type Person, type User, updateUser } from "../projects/index.js";
import { addressOf } from "./address.js";
import { hashOfPassword, isPassword } from "./passwords.js";
import type { NewOwner } from "./people.schemas.js";
import { attemptsEndIn, link_ms, links_max, of_address, sessions_max } from "./sign-in.js";
import {
  deleteAttempts,
  deleteLinksOf,
  deleteOlderLinks,
  deleteOlderSessions,
  findAttempts,
  findLink,
  findOwnerWithPassword,
  findPassword,
  insertAttempt,
  insertLink,
  insertSession,
  putPassword,
  takeLink,
} from "./sign-in.store.js";

/** Whether anybody who owns the organization can sign in. */
export const hasOwner = async (db: Queries): Promise<boolean> => (await findOwnerWithPassword(db)) !== undefined;

/**
 * A link by which somebody chooses a password, once and within a day: what stands behind the address of the service. The token is a
 * fragment, which no browser sends and no server logs.
 */
export async function makeLink({ clock }: Pick<Context, "clock">, db: Queries, user_id: string) {
  const created_at = clock.now();
  const token = newSecret();
  const link = { token_hash: hashOfSecret(token), user_id, created_at, expires_at: created_at + link_ms };
  await insertLink(db, link);
  await deleteOlderLinks(db, user_id, links_max);
  return { path: `/welcome#${token}`, expires_at: link.expires_at };
}

/** A link for whoever owned the organization first. */
export async function makeOwnerLink(context: Pick<Context, "db" | "clock">): Promise<string> {
  const owner = await findFirstOwner(context.db);
  if (!owner) throw new Error("an organization has an owner");
  return (await makeLink(context, context.db, owner.id)).path;
}

/** The same as long as no owner can sign in. */
export const makeFirstOwnerLink = async (context: Pick<Context, "db" | "clock">): Promise<string | null> =>
  (await hasOwner(context.db)) ? null : makeOwnerLink(context);

/** Who may follow the link, before they do. */
export async function readLink({ db, clock }: Context, token: string) {
  const link = await findLink(db, hashOfSecret(token), clock.now());
  const user = link && (await findUser(db, { id: link.user_id }));
  if (!link || !user) throw refusals.linkIsOver();
  return { user, expires_at: link.expires_at };
}

/** Makes whoever holds an owner's link that owner, under their own name. Answers a session's token. */
export async function becomeOwner(context: Context, fields: NewOwner): Promise<string> {
  const { user } = await readLink(context, fields.token);
  if (!user.is_owner) throw refusals.linkIsOver();
  // Before the transaction: it takes a third of a second.
  const password_hash = await hashOfPassword(fields.password);
  return underUserKeys(context, async (tx) => {
    await useLink(tx, context, fields.token);
    await takeName(tx, { ...fields, id: user.id });
    return beginAnew(tx, user.id, password_hash, context.clock.now());
  });
}

/** The owner that the operator names; nobody else is asked, and one who is there stays as they are. */
export async function setOwner(
  context: Context,
  { email, password }: { email: string; password: string },
): Promise<void> {
  if (await hasOwner(context.db)) return;
  const password_hash = await hashOfPassword(password);
  await underUserKeys(context, async (tx) => {
    const owner = await findFirstOwner(tx);
    if (!owner || (await hasOwner(tx))) return;
    await takeName(tx, { ...owner, email });
    await putPassword(tx, owner.id, password_hash, context.clock.now());
  });
}

/** Chooses a password by a link. Answers a session's token. */
export async function choosePassword(
  context: Context,
  { token, password }: { token: string; password: string },
): Promise<string> {
  const { user } = await readLink(context, token);
  const password_hash = await hashOfPassword(password);
  return underUserKeys(context, async (tx) => {
    await useLink(tx, context, token);
    return beginAnew(tx, user.id, password_hash, context.clock.now());
  });
}

/** Another password in place of one's own. All sessions end, this one too; answers a new one's token. */
export async function changePassword(
  context: Context,
  { user }: Person,
  address: string,
  { current_password, password }: { current_password: string; password: string },
): Promise<string> {
  const known = await checkPassword(context, user.email, address, current_password);
  if (!known) throw refusals.wrongPassword();
  const password_hash = await hashOfPassword(password);
  return underUserKeys(context, async (tx) => {
    // Meanwhile somebody else may have changed it, who is to be locked out by it or locks us out.
    if ((await findPassword(tx, user.id)) !== known.password_hash) throw refusals.wrongPassword();
    return beginAnew(tx, user.id, password_hash, context.clock.now());
  });
}

/** Answers a session's token. */
export async function signIn(
  context: Context,
  address: string,
  shown: { email: string; password: string },
): Promise<string> {
  const known = await checkPassword(context, shown.email, address, shown.password);
  if (!known) throw refusals.wrongPassword();
  const token = newSecret();
  const { user_id, password_hash } = known;
  const instant = context.clock.now();
  const begun = await context.db.transaction(async (tx) => {
    const begun = await insertSession(tx, { token_hash: hashOfSecret(token), user_id, password_hash, instant });
    await deleteOlderSessions(tx, user_id, sessions_max);
    return begun;
  });
  if (begun === 0) throw refusals.wrongPassword();
  return token;
}

/** Names of one's own; the e-mail stays, by which one signs in. */
export async function rename(
  context: Context,
  { user }: Person,
  names: Pick<User, "first_name" | "last_name">,
): Promise<User> {
  return context.db.transaction(async (tx) => {
    await updateUser(tx, { ...user, ...names });
    return { ...user, ...names };
  });
}

/** Whose password it is. Each attempt counts before it is looked at, and no more once it was the right one. */
async function checkPassword(context: Context, email: string, from: string, password: string) {
  const attempt = {
    address: addressOf(from),
    email_hash: hashOfSecret(email.toLowerCase()),
    instant: context.clock.now(),
  };
  const wait_ms = await context.db.transaction((tx) =>
    holding(tx, [{ project_id: "", kind: "sign_in", id: attempt.address }], async () => {
      const wait_ms = attemptsEndIn(await findAttempts(tx, attempt, of_address.attempts_max), attempt.instant);
      if (wait_ms === null) await insertAttempt(tx, attempt);
      return wait_ms;
    }),
  );
  if (wait_ms !== null) throw problems.tooManyAttempts(Math.ceil(wait_ms / 1000));
  const user = await findUserByEmail(context.db, email);
  const password_hash = user && (await findPassword(context.db, user.id));
  if (!(await isPassword(password, password_hash)) || !user || password_hash === undefined) return undefined;
  await deleteAttempts(context.db, attempt);
  return { user_id: user.id, password_hash };
}

/** People change one after the other: there are few of them, and two never take one name. */
export const people_key = { project_id: "", kind: "user", id: "" } as const;
const underUserKeys = <Answer>({ db }: Pick<Context, "db">, work: (tx: Tx) => Promise<Answer>): Promise<Answer> =>
  db.transaction((tx) => holding(tx, [people_key], () => work(tx)));

/** Everywhere: whoever calls with a session of theirs must sign in anew. */
export const signOut = (tx: Tx, user_id: string) => deleteOlderSessions(tx, user_id, 0);

async function useLink(tx: Tx, { clock }: Context, token: string): Promise<void> {
  if (!(await takeLink(tx, hashOfSecret(token), clock.now()))) throw refusals.linkIsOver();
}

async function takeName(tx: Tx, named: Parameters<typeof updateUser>[1]): Promise<void> {
  const other = await findUserByEmail(tx, named.email);
  if (other && other.id !== named.id) throw problems.duplicate("user", named.email, "email");
  await updateUser(tx, named);
}

/** With a new password: no older session and no link of theirs opens anything any more. */
async function beginAnew(tx: Tx, user_id: string, password_hash: string, instant: Instant): Promise<string> {
  await putPassword(tx, user_id, password_hash, instant);
  await deleteLinksOf(tx, user_id);
  await deleteOlderSessions(tx, user_id, 0);
  const token = newSecret();
  await insertSession(tx, { token_hash: hashOfSecret(token), user_id, password_hash, instant });
  return token;
}
