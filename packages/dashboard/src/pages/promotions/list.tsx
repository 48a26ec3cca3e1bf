import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Answer, reasonIn } from "../../api/answer.js";
import { type Campaign, stateOf } from "../../api/campaign.js";
import type { Schemas } from "../../api/client.js";
import { discountWords } from "../../api/incentive.js";
import { type Project, useProject } from "../../api/project.js";
import { CampaignStatus } from "../../parts/campaign-status.js";
import { ListFrame } from "../../parts/lists/browse.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import type { IconName } from "../../ui/icon.js";
import { Notice, PageHead, State } from "../../ui/page.js";
import { useSortable } from "../../ui/sortable/sortable.js";
import { Status, type Tone } from "../../ui/status.js";
import { Clip } from "../../ui/table/clip.js";
import { type Column, Table } from "../../ui/table/table.js";
import styles from "./promotions.module.css";
import { type PromotionSearch, promotionsQuery, stacksQuery, tiersQuery, useTierDeeds } from "./promotions.queries.js";
import { type Tier, type TierState, tierState } from "./tiers.js";

const words = t.promotions;
const find = { name: "find", label: words.find };

/** What applies without a code: the tiers of every promotion campaign in their order, and their stacks. */
export function Promotions() {
  const project = useProject();
  const campaigns = useQuery(promotionsQuery(project, useSearch({ strict: false }) as PromotionSearch));
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <ListFrame
        {...{ of: campaigns, what: words.title, filters: [], find, found: words.found }}
        none={(is_narrowed) => (
          <State icon="discount" title={is_narrowed ? words.none_match : words.none}>
            {!is_narrowed && words.none_lead}
          </State>
        )}
      >
        {({ data }) => data.map((campaign) => <Promotion key={campaign.id} campaign={campaign} />)}
      </ListFrame>
    </>
  );
}

function Promotion({ campaign }: { campaign: Campaign }) {
  const project = useProject();
  const tiers = useQuery(tiersQuery(project, campaign));
  return (
    <section className={styles.campaign} aria-label={campaign.name}>
      <header className={styles.head}>
        <h2>
          <Link to={`/p/${project.id}/campaigns/${campaign.id}`} dir="auto">
            {campaign.name}
          </Link>
        </h2>
        <CampaignStatus state={stateOf(campaign)} />
      </header>
      <Answer of={tiers} what={words.tiers(campaign.name)}>
        {(tiers) =>
          tiers.length === 0 ? (
            <p className={styles.none}>{words.no_tiers}</p>
          ) : (
            <>
              <Tiers campaign={campaign} tiers={tiers} />
              <Stacks campaign={campaign} tiers={tiers} />
            </>
          )
        }
      </Answer>
    </section>
  );
}

function Tiers({ campaign, tiers }: { campaign: Campaign; tiers: readonly Tier[] }) {
  const project = useProject();
  const { moveTier, move, turn } = useTierDeeds(campaign);
  const sorting = useSortable({
    rows: tiers,
    keyOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    onMove: (from, to) => moveTier({ tiers, from, to }),
  });
  const turning = turn.isPending ? turn.variables?.tier.id : undefined;
  const columns = [
    ...(project.may("promotions.tiers.update") ? [sorting.column] : []),
    ...columnsOf(project),
    turnOf(project, turning, (tier) => turn.mutate({ tier, active: !tier.active })),
  ];
  const error = move.error ?? turn.error;
  return (
    <>
      {error && <Notice>{reasonIn(error)}</Notice>}
      <Table
        label={words.tiers(campaign.name)}
        rows={sorting.shown}
        keyOf={({ id }) => id}
        columns={columns}
        isMarked={sorting.isDragged}
      />
      <p role="status" className="visually-hidden">
        {sorting.said}
      </p>
    </>
  );
}

const columnsOf = (project: Project): Column<Tier>[] => [
  {
    name: words.tier,
    cell: ({ name, banner }) => (
      <>
        <Clip strong>{name}</Clip>
        {banner && (
          <small>
            <Clip>{banner}</Clip>
          </small>
        )}
      </>
    ),
  },
  { name: words.gives, cell: ({ action }) => discountWords(action.discount, project) },
  { name: words.status, cell: (tier) => <TierStatus state={tierState(tier)} /> },
  {
    name: words.runs,
    cell: ({ start_date, expiration_date }) => project.dates.range(start_date, expiration_date) || t.campaigns.always,
  },
  {
    name: words.redemptions,
    align: "right",
    cell: ({ summary }) => project.count(summary.redemptions.total_redeemed),
  },
  {
    name: words.given,
    align: "right",
    cell: ({ summary }) => project.money(summary.orders.total_discount_amount),
  },
];

const looks: Record<TierState, readonly [Tone, IconName]> = {
  active: ["ok", "circleCheck"],
  disabled: ["mute", "ban"],
  expired: ["mute", "hourglass"],
  scheduled: ["info", "clock"],
  with_campaign: ["mute", "ban"],
};

function TierStatus({ state }: { state: TierState }) {
  const [tone, icon] = looks[state];
  return (
    <Status tone={tone} icon={icon}>
      {words.states[state]}
    </Status>
  );
}

/** Acts at once, and can be taken back as quickly. */
const turnOf = ({ may }: Project, turning: string | undefined, turn: (tier: Tier) => void): Column<Tier> => ({
  name: words.switch,
  hidden_name: true,
  align: "right",
  cell: (tier) =>
    may(tier.active ? "promotions.tiers.disable.create" : "promotions.tiers.enable.create") && (
      <Button
        size="small"
        busy={turning === tier.id}
        aria-label={`${tier.active ? words.disable : words.enable} ${tier.name}`}
        onClick={() => turn(tier)}
      >
        {tier.active ? words.disable : words.enable}
      </Button>
    ),
});

type Stack = Schemas["PromotionStack"];

/** The campaign's stacks, each with its tiers in the order in which they apply. */
function Stacks({ campaign, tiers }: { campaign: Campaign; tiers: readonly Tier[] }) {
  const stacks = useQuery(stacksQuery(useProject()));
  const own = stacks.data?.data.filter(({ campaign_id }) => campaign_id === campaign.id) ?? [];
  if (stacks.error) return <Notice>{reasonIn(stacks.error)}</Notice>;
  if (own.length === 0) return null;
  const names = new Map(tiers.map(({ id, name }) => [id, name]));
  const columns: Column<Stack>[] = [
    { name: words.stack, cell: ({ name }) => <Clip strong>{name}</Clip> },
    { name: words.category, cell: ({ categories }) => <Clip>{categories[0]?.name}</Clip> },
    {
      name: words.in_order,
      cell: ({ tiers }) => (
        <ol className={styles.stacked}>
          {tiers.ids.map((id) => (
            <li key={id}>
              <bdi>{names.get(id) ?? id}</bdi>
            </li>
          ))}
        </ol>
      ),
    },
  ];
  return (
    <>
      <Table label={words.stacks(campaign.name)} rows={own} keyOf={({ id }) => id} columns={columns} />
      {stacks.data?.has_more && <p className={styles.none}>{words.more_stacks}</p>}
    </>
  );
}
