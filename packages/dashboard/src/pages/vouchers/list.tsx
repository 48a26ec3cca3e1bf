import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { incentiveWords, stateOf, type Voucher } from "../../api/incentive.js";
import { useProject } from "../../api/project.js";
import { Browse } from "../../parts/browse.js";
import { ImportLink } from "../../parts/import-link.js";
import { Uses } from "../../parts/uses.js";
import { VoucherStatus } from "../../parts/voucher-status.js";
import { t } from "../../text/index.js";
import { PageHead, State } from "../../ui/page.js";
import { type Column, Table } from "../../ui/table/table.js";
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
  const vouchers = useQuery(vouchersQuery(project, useSearch({ strict: false }) as VoucherSearch));
  return (
    <>
      <PageHead title={words.title}>
        <ImportLink of="vouchers" needs="vouchers.importCSV.create" />
      </PageHead>
      <Browse of={vouchers} what={words.title} find={code} filters={filters} sorts={sorts} none={none}>
        {({ data }) => <Table label={words.title} rows={data} keyOf={({ id }) => id} columns={columnsOf(project)} />}
      </Browse>
    </>
  );
}

const none = (is_narrowed: boolean) => (
  <State icon="ticket" title={is_narrowed ? words.none_match : words.none}>
    {is_narrowed ? null : words.none_lead}
  </State>
);

type Shown = ReturnType<typeof useProject>;

const columnsOf = (project: Shown): Column<Voucher>[] => [
  {
    name: words.code,
    cell: ({ code }) => (
      <Link to={`/p/${project.id}/vouchers/${encodeURIComponent(code)}`} className={styles.code}>
        {code}
      </Link>
    ),
  },
  { name: words.type, cell: ({ type }) => words.types[type] },
  { name: words.gives, cell: (voucher) => incentiveWords(voucher, project) },
  { name: words.campaign, cell: ({ campaign }) => campaign ?? "" },
  { name: words.category, cell: ({ category }) => category ?? "" },
  { name: words.status, cell: (voucher) => <VoucherStatus state={stateOf(voucher)} /> },
  { name: words.created, cell: ({ created_at }) => project.dates.day(created_at) },
  { name: words.used, align: "right", cell: (voucher) => <Uses of={voucher} /> },
];
