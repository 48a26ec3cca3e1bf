import { books, countLiveSessions, isSessionLive, listLiveSessions } from "../../books/index.js";
import {
  type Deciding,
  type DecidingBody,
  type DecidingRequest,
  orderView,
  readShown,
  redeemableViews,
  referrerOf,
  requestTogether,
  stackingRulesView,
  trackingIdOf,
  trackingOf,
} from "../../deciding/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { pageOf } from "../../platform/listing/index.js";
import { change, readUnderKeys } from "../../recording/index.js";
import { refusalBody } from "../../terms/index.js";
import type { Call } from "../projects/index.js";
import { codeKey, findVoucher } from "../vouchers/index.js";
import { type Validated, validate } from "./validate.js";
import type { SessionQuery, ValidationBody } from "./validation.schemas.js";

/** `POST /v1/validations`: what the redeemables would do, together, and nothing stored (redemption.md §6). */
export async function validateRedeemables(deciding: Deciding, call: Call, body: DecidingBody): Promise<ValidationBody> {
  const request = await requestTogether(deciding, call, body, trackingOf(deciding.context.seal, call.project_id));
  return validate(deciding, request, (validated, db) => validationOf(deciding, request, validated, db));
}

async function validationOf(
  deciding: Deciding,
  request: DecidingRequest,
  { id, shared, decision, session, stored }: Validated,
  db: Queries,
): Promise<ValidationBody> {
  const shown = await readShown(db, request, decision.outcomes);
  const { turns } = deciding.context;
  const views = await redeemableViews(turns, shared, request, decision.outcomes, shown, stored);
  for (const outcome of decision.outcomes) {
    if (outcome.status === "INAPPLICABLE") deciding.context.metrics.refused(refusalBody(outcome.refusal).key);
  }
  const inapplicable = views.filter((view) => view.status === "INAPPLICABLE");
  const skipped = views.filter((view) => view.status === "SKIPPED");
  return {
    id,
    valid: decision.valid,
    redeemables: decision.valid ? views.filter(({ status }) => status === "APPLICABLE") : views,
    ...(inapplicable.length ? { inapplicable_redeemables: inapplicable } : {}),
    ...(skipped.length ? { skipped_redeemables: skipped } : {}),
    ...(decision.valid && decision.order
      ? { order: orderView(decision.order, decision.applied, stored, referrerOf(shared, request, decision.outcomes)) }
      : {}),
    tracking_id: trackingIdOf(request, shared.customer(request.customer)) ?? undefined,
    ...(session ? { session } : {}),
    stacking_rules: stackingRulesView(shared.catalogue.stacking_rules),
  };
}

/** `DELETE /v1/vouchers/{code}/sessions/{key}`: gives a lock up; one that has run out is not there any more. */
export async function releaseSession({ context }: Deciding, call: Call, code: string, key: string): Promise<void> {
  const { project_id, project, instant } = call;
  await change(context, call, async ({ tx, add }) => {
    const voucher = await readUnderKeys(
      tx,
      () => findVoucher(tx, project_id, code, codeKey(project, code)),
      (found) => (found ? [{ project_id, kind: "voucher", id: found.id }] : []),
    );
    if (!voucher) throw problems.notFound("voucher", code);
    const lock = { voucher_id: voucher.id, session_key: key };
    if (!(await isSessionLive(tx, project_id, lock, isoOf(instant)))) throw problems.notFound("session", key);
    add(books.sessions, { ...lock, expires_at: null });
  });
}

/** `GET /v1/vouchers/{code}/sessions`: who holds the voucher now, so that an owner can give a lock up for them. */
export async function readSessions({ context: { db } }: Deciding, call: Call, code: string, query: SessionQuery) {
  const { project_id, project } = call;
  const voucher = await findVoucher(db, project_id, code, codeKey(project, code));
  if (!voucher) throw problems.notFound("voucher", code);
  const now = isoOf(call.instant);
  const [live, total] = await Promise.all([
    listLiveSessions(db, project_id, voucher.id, now, pageOf(query)),
    countLiveSessions(db, project_id, voucher.id, call.instant),
  ]);
  return listBody(
    "sessions",
    live.map(({ session_key, credits, expires_at }) => ({
      key: session_key,
      type: "LOCK" as const,
      voucher_id: voucher.id,
      code: voucher.code,
      quantity: 1,
      credits,
      expires_at: isoOf(expires_at),
      object: "session" as const,
    })),
    total,
  );
}
