import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type Campaign, stateOf } from "../../api/campaign.js";
import { askedBy } from "../../api/filters.js";
import { incentiveWords } from "../../api/incentive.js";
import { type Project, useProject } from "../../api/project.js";
import { CampaignStatus } from "../../parts/campaign-status.js";
import { Browse } from "../../parts/lists/browse.js";
import type { ListColumn, ListSearch } from "../../parts/lists/list.js";
import { t } from "../../text/index.js";
import { look, withIcon } from "../../ui/button.js";
import { PageHead, State } from "../../ui/page.js";
import { Clip } from "../../ui/table/clip.js";
import { campaignActs } from "./acts.js";
import styles from "./campaigns.module.css";
import { type CampaignSearch, campaign_states, campaign_types, campaignsQuery } from "./campaigns.queries.js";
import { Drafts } from "./drafts.js";

const words = t.campaigns;
const filters = [
  {
    name: "type",
    label: words.type,
    options: campaign_types.map((value) => ({ value, label: words.types[value] ?? value })),
  },
  {
    name: "status",
    label: words.status,
    options: (Object.keys(campaign_states) as (keyof typeof campaign_states)[]).map((value) => ({
      value,
      label: words.states[value],
    })),
  },
  { name: "category", label: words.category },
];
const find = { name: "find", label: words.find };
const sorts = [
  { value: "-created_at", label: t.list.newest },
  { value: "created_at", label: t.list.oldest },
  { value: "-updated_at", label: words.lately_changed },
];

/** All campaigns of a project. */
export function Campaigns() {
  const project = useProject();
  const search = useSearch({ strict: false }) as CampaignSearch;
  const campaigns = useQuery(campaignsQuery(project, search));
  const read = (search: ListSearch) => project.queries.fetchQuery(campaignsQuery(project, search));
  // Where there is none, it stands in the middle.
  const { sort: _sort, ...narrowing } = askedBy(search);
  const is_empty = campaigns.data?.data.length === 0 && Object.keys(narrowing).length === 0;
  const add = project.may("campaigns.create") && (
    <Link {...look({ kind: "primary" })} to={`/p/${project.id}/campaigns/new`}>
      {withIcon("plus", words.add)}
    </Link>
  );
  return (
    <>
      <PageHead title={words.title}>{!is_empty && add}</PageHead>
      <Drafts />
      <Browse
        {...{
          list: "campaigns",
          bulk: { acts: campaignActs(project), read },
          columns: () => columnsOf(project),
          of: campaigns,
          what: words.title,
          find,
          filters,
          sorts,
          found: words.found,
        }}
        none={(is_narrowed) => (
          <State icon="speakerphone" title={is_narrowed ? words.none_match : words.none}>
            {is_narrowed ? null : add}
          </State>
        )}
      />
    </>
  );
}

const columnsOf = (project: Project): ListColumn<Campaign>[] => [
  {
    id: "name",
    name: words.name,
    cell: (campaign) => (
      <>
        <Link to={`/p/${project.id}/campaigns/${campaign.id}`} className={styles.name}>
          {campaign.name}
        </Link>
        <small>{codesWords(campaign, project)}</small>
      </>
    ),
  },
  { id: "type", name: words.type, cell: ({ campaign_type }) => words.types[campaign_type] ?? campaign_type },
  { id: "gives", name: words.gives, cell: (campaign) => givesWords(campaign, project) },
  { id: "category", name: words.category, cell: ({ categories, category }) => categories?.[0]?.name ?? category ?? "" },
  { id: "status", name: words.status, cell: (campaign) => <CampaignStatus state={stateOf(campaign)} /> },
  { id: "runs", name: words.runs, cell: (campaign) => <Runs campaign={campaign} /> },
  { id: "created", name: words.created, cell: ({ created_at }) => (created_at ? project.dates.day(created_at) : "") },
  {
    id: "updated",
    name: t.list.changed,
    is_extra: true,
    cell: ({ updated_at }) => updated_at && project.dates.day(updated_at),
  },
  {
    id: "description",
    name: t.list.description,
    is_extra: true,
    cell: ({ description }) => <Clip>{description}</Clip>,
  },
  { id: "id", name: t.list.id, is_extra: true, cell: ({ id }) => <Clip code>{id}</Clip> },
];

export const givesWords = ({ voucher }: Campaign, project: Project): string =>
  voucher ? incentiveWords(voucher, project) : "";

const codesWords = ({ vouchers_count }: Campaign, { count }: Project) =>
  vouchers_count === undefined ? "" : words.codes_of(count(vouchers_count));

const day_ms = 86_400_000;
const soon_days = 7;
/** Further away the date alone says more. */
const told_days = 99;

/** Its dates, and how long it still runs. */
export function Runs({ campaign: { start_date, expiration_date } }: { campaign: Campaign }) {
  const { dates } = useProject();
  const range = dates.range(start_date, expiration_date);
  const starts = daysUntil(start_date);
  const left = daysUntil(expiration_date);
  const note =
    starts > 0
      ? words.starts_in(starts)
      : left > 0 && left <= told_days
        ? words.days_left(left)
        : start_date && !expiration_date && words.no_end;
  return (
    <span className={styles.runs}>
      {range || words.always}
      {note && <small className={starts <= 0 && left <= soon_days && left > 0 ? styles.soon : undefined}>{note}</small>}
    </span>
  );
}

const daysUntil = (iso: string | null | undefined) => (iso ? Math.ceil((Date.parse(iso) - Date.now()) / day_ms) : 0);
