import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Answer } from "../../api/answer.js";
import { incentiveWords, stateOf, type Voucher } from "../../api/incentive.js";
import { useProject } from "../../api/project.js";
import { Uses } from "../../parts/uses.js";
import { VoucherStatus } from "../../parts/voucher-status.js";
import { t } from "../../text/index.js";
import { FilterBar } from "../../ui/list/filter-bar.js";
import { Pages } from "../../ui/list/pages.js";
import { Sorting } from "../../ui/list/sorting.js";
import { Card, PageHead, State } from "../../ui/page.js";
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

/** All codes of a project. What they are filtered by stands in the address. */
export function Vouchers() {
  const project = useProject();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as VoucherSearch;
  const vouchers = useQuery(vouchersQuery(project, search));
  const { after, sort, ...values } = search;
  const go = (next: VoucherSearch) => void navigate({ to: ".", search: next as never });
  return (
    <>
      <PageHead title={words.title} />
      <FilterBar
        find={code}
        filters={filters}
        values={values}
        onChange={(changed) => go({ ...(sort ? { sort } : {}), ...changed })}
      >
        <Sorting value={sort} options={sorts} onChange={(sort) => go({ ...values, sort })} />
      </FilterBar>
      <Card flush>
        <Answer of={vouchers} what={words.title}>
          {({ data, total, total_estimated, has_more }) =>
            data.length === 0 ? (
              <None narrowed={Object.keys(values).length > 0} />
            ) : (
              <>
                <Table label={words.title} rows={data} keyOf={({ id }) => id} columns={columnsOf(project)} />
                <Pages
                  found={t.list.found(project.count(total), total_estimated === true)}
                  onFirst={after ? () => go({ ...values, ...(sort ? { sort } : {}) }) : undefined}
                  onNext={has_more ? () => go({ ...search, after: data.at(-1)?.id ?? "" }) : undefined}
                />
              </>
            )
          }
        </Answer>
      </Card>
    </>
  );
}

const None = ({ narrowed }: { narrowed: boolean }) => (
  <State icon="ticket" title={narrowed ? words.none_match : words.none}>
    {narrowed ? null : words.none_lead}
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
