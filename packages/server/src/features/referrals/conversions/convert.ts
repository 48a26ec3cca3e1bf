import type { Cause, Turn } from "../../../events/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { Tx } from "../../../platform/db/database.js";
import { newId } from "../../../platform/ids.js";
import { type Change, changeWithin, holding } from "../../../recording/index.js";
import { eventSourceOf, the_service } from "../../../terms/index.js";
import { customerBesideKey, findCustomerNames } from "../../customers/index.js";
import { insertHolders, type VoucherHolder } from "../../publications/index.js";
import { holderEvent } from "../holders/holder.events.js";
import type { Candidate, Happened } from "./candidates.js";
import { findCandidates } from "./candidates.js";
import { type Counting, countReferrals } from "./count.js";
import { referredEvent } from "./referral.events.js";
import { insertReferrals } from "./referral.store.js";

/** Counts the referrals among events, in the transaction that says that it was done. */
export async function convert(tx: Tx, events: readonly Happened[], turn: Turn): Promise<void> {
  const of_projects = new Map<string, Candidate[]>();
  // In one order for everybody, since their rows are locked by being written.
  for (const project_id of [...new Set(events.map((event) => event.project_id))].sort()) {
    const own = events.filter((event) => event.project_id === project_id);
    const found = await findCandidates(tx, project_id, own);
    if (found.length > 0) of_projects.set(project_id, found);
  }
  // Whoever is being deleted is waited for, and then nobody.
  const keys = [...of_projects].flatMap(([project_id, candidates]) =>
    peopleIn(candidates).map((id) => ({ ...customerBesideKey(project_id, id), shared: true })),
  );
  if (keys.length === 0) return;
  await holding(tx, keys, async () => undefined);
  await changeWithin(tx, async (changeBy) => {
    for (const [project_id, candidates] of of_projects)
      await convertOfProject({ tx, turn, project_id }, candidates, (event) => changeBy(causeOf(event, turn.instant)));
  });
}

const peopleIn = (candidates: readonly Candidate[]) => [
  ...new Set(candidates.flatMap(({ referral: { referrer_id, referee_id } }) => [referrer_id, referee_id])),
];

/** The service does it, because of the request that caused the event. */
const causeOf = ({ project_id, group_id }: Happened, instant: Instant): Cause => ({
  ...{ project_id, request_id: group_id, event_source: eventSourceOf(the_service), instant },
});

async function convertOfProject(
  { tx, turn, project_id }: Counting,
  candidates: readonly Candidate[],
  changeOf: (event: Happened) => Change,
): Promise<void> {
  const names = await findCustomerNames(tx, project_id, { ids: peopleIn(candidates), source_ids: [] });
  const people = new Map(names.map((name) => [name.id, name]));
  const first = new Map<string, Candidate>();
  // The one that happened first is what it was counted for.
  for (const one of candidates.toSorted((a, b) => a.event.created_at - b.event.created_at)) {
    const { referrer_id, referee_id } = one.referral;
    const referrer = people.get(referrer_id);
    const is_meant = one.named_referrer === null || [referrer?.id, referrer?.source_id].includes(one.named_referrer);
    if (referrer && people.has(referee_id) && is_meant && !first.has(nameOf(one.referral)))
      first.set(nameOf(one.referral), one);
  }
  const wanted = [...first].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, candidate]) => candidate);
  if (wanted.length === 0) return;
  const written = await insertReferrals(
    tx,
    project_id,
    wanted.map(({ referral }) => referral),
  );
  const is_new = new Set(written.map(nameOf));
  const made = wanted.filter(({ referral }) => is_new.has(nameOf(referral)));
  if (made.length > 0) await tell({ tx, turn, project_id }, made, changeOf);
}

const nameOf = ({ campaign_id, referrer_id, referee_id }: Candidate["referral"] | { [key in Part]: string }) =>
  `${campaign_id} ${referrer_id} ${referee_id}`;
type Part = "campaign_id" | "referrer_id" | "referee_id";

/** Makes whoever was referred a holder of the code, and tells of both. */
async function tell(
  counting: Counting,
  made: readonly Candidate[],
  changeOf: (event: Happened) => Change,
): Promise<void> {
  const { tx, project_id } = counting;
  const referrals = made.map(({ referral }) => referral);
  const counts = await countReferrals(counting, referrals);
  const holders = referrals.map((referral): VoucherHolder => {
    const { voucher_id, referee_id: customer_id, campaign_id, created_at } = referral;
    const whose = { id: newId("rh"), voucher_id, customer_id, role: "REFEREE", campaign_id } as const;
    return { ...whose, publication_id: null, metadata: null, created_at };
  });
  const new_ids = new Set((await insertHolders(tx, project_id, holders)).map(({ id }) => id));
  for (const [i, { event, referral }] of made.entries()) {
    const { tell } = changeOf(event);
    const holder = holders[i];
    if (holder && new_ids.has(holder.id)) tell(holderEvent("created", holder));
    const custom_event =
      event.type === "customer.custom_event" ? { ...event.data, created_at: event.created_at } : null;
    tell(referredEvent({ ...referral, ...(counts[i] ?? { referred: 0 }), custom_event }));
  }
}
