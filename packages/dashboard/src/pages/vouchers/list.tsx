import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { incentiveWords, stateOf, type Voucher } from "../../api/incentive.js";
import { useProject } from "../../api/project.js";
import { ImportLink } from "../../parts/import-link.js";
import { Browse } from "../../parts/lists/browse.js";
import type { ListColumn, ListSearch } from "../../parts/lists/list.js";
import { Uses } from "../../parts/uses.js";
import { VoucherStatus } from "../../parts/voucher-status.js";
import { t } from "../../text/index.js";
import { PageHead, State } from "../../ui/page.js";
import { Clip } from "../../ui/table/clip.js";
import { voucherActs } from "./acts.js";
import styles from "./vouchers.module.css";
import { type VoucherSearch, vouchersQuery } from "./vouchers.queries.js";

const { vouchers: words } = t;
const code = { name: "code", label: words.find };
const filters = [
  {
    name: "type",
    label: words.type,
    options: Object.entries(words.types).map(([value, label]) => ({ value, label })),
  },
  {
    name: "active",
    label: words.switched,
    options: [
      { value: "true", label: words.on },
      { value: "false", label: words.off },
    ],
  },
  { name: "campaign", label: words.campaign },
  { name: "category", label: words.category },
];
const sorts = [
  { value: "-created_at", label: t.list.newest },
  { value: "created_at", label: t.list.oldest },
  { value: "code", label: t.list.by_code },
];

/** All codes of a project. */
export function Vouchers() {
  const project = useProject();
  const search = useSearch({ strict: false }) as VoucherSearch;
  const vouchers = useQuery(vouchersQuery(project, search));
  const read = (search: ListSearch) => project.queries.fetchQuery(vouchersQuery(project, search));
  return (
    <>
      <PageHead title={words.title}>
        <ImportLink of="vouchers" needs="vouchers.importCSV.create" />
      </PageHead>
      <Browse
        list="vouchers"
        columns={() => columnsOf(project)}
        bulk={{ acts: voucherActs(project), read }}
        {...{ of: vouchers, what: words.title, find: code, filters, sorts, none }}
      />
    </>
  );
}

const none = (is_narrowed: boolean) => (
  <State icon="ticket" title={is_narrowed ? words.none_match : words.none}>
    {is_narrowed ? null : words.none_lead}
  </State>
);

type Shown = ReturnType<typeof useProject>;

const columnsOf = (project: Shown): ListColumn<Voucher>[] => [
  {
    id: "code",
    name: words.code,
    cell: ({ code }) => (
      <Link to={`/p/${project.id}/vouchers/${encodeURIComponent(code)}`} className={styles.code}>
        {code}
      </Link>
    ),
  },
  { id: "type", name: words.type, cell: ({ type }) => words.types[type] },
  { id: "gives", name: words.gives, cell: (voucher) => incentiveWords(voucher, project) },
  { id: "campaign", name: words.campaign, cell: ({ campaign }) => campaign ?? "" },
  { id: "category", name: words.category, cell: ({ category }) => category ?? "" },
  { id: "status", name: words.status, cell: (voucher) => <VoucherStatus state={stateOf(voucher)} /> },
  { id: "created", name: words.created, cell: ({ created_at }) => project.dates.day(created_at) },
  {
    id: "starts",
    name: t.list.starts,
    is_extra: true,
    cell: ({ start_date }) => start_date && project.dates.day(start_date),
  },
  {
    id: "ends",
    name: t.list.ends,
    is_extra: true,
    cell: ({ expiration_date }) => expiration_date && project.dates.day(expiration_date),
  },
  {
    id: "updated",
    name: t.list.changed,
    is_extra: true,
    cell: ({ updated_at }) => updated_at && project.dates.day(updated_at),
  },
  { id: "id", name: t.list.id, is_extra: true, cell: ({ id }) => <Clip code>{id}</Clip> },
  { id: "used", name: words.used, align: "right", cell: (voucher) => <Uses of={voucher} /> },
];
