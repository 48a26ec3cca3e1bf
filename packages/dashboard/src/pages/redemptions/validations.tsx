import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Answer } from "../../api/answer.js";
import type { Schemas } from "../../api/client.js";
import { nameOf } from "../../api/people.js";
import { type Project, useProject } from "../../api/project.js";
import { RequestLink } from "../../parts/request-link.js";
import { t } from "../../text/index.js";
import { FilterBar } from "../../ui/list/filter-bar.js";
import { More } from "../../ui/list/more.js";
import { Card, State } from "../../ui/page.js";
import { Status } from "../../ui/status.js";
import { Clip } from "../../ui/table/clip.js";
import { type Column, Table } from "../../ui/table/table.js";
import { Frame } from "./layout.js";
import { type Validation, type ValidationSearch, validationsQuery } from "./redemptions.queries.js";

const words = t.redemption_pages;
const find = { name: "code", label: words.code };
const filters = [
  {
    name: "valid",
    label: words.validity,
    options: [
      { value: "true", label: words.valid },
      { value: "false", label: words.not_valid },
    ],
  },
  { name: "customer", label: words.customer },
];

/** What was asked about codes without using them, and what it came to. */
export function Validations() {
  const project = useProject();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as ValidationSearch;
  const validations = useInfiniteQuery(validationsQuery(project, search));
  const is_narrowed = Object.keys(search).length > 0;
  return (
    <Frame>
      <FilterBar
        filters={filters}
        find={find}
        values={search}
        onChange={(values) => void navigate({ to: ".", search: values as never })}
      />
      <Card flush>
        <Answer of={validations} what={words.validations}>
          {({ pages }) => {
            const rows = pages.flatMap(({ data }) => data);
            if (rows.length === 0)
              return (
                <State icon="listCheck" title={is_narrowed ? words.no_validation_match : words.no_validations}>
                  {!is_narrowed && words.no_validations_lead}
                </State>
              );
            const people = new Map(pages.flatMap(({ customers }) => customers.map((one) => [one.id, one] as const)));
            return (
              <>
                <Table
                  label={words.validations}
                  rows={rows}
                  keyOf={({ id }) => id}
                  columns={columnsOf(project, people)}
                />
                <More of={validations} />
              </>
            );
          }}
        </Answer>
      </Card>
    </Frame>
  );
}

type People = ReadonlyMap<string, Schemas["LoggedValidationSlice"]["customers"][number]>;

const columnsOf = (project: Project, people: People): Column<Validation>[] => [
  {
    name: words.date,
    cell: ({ created_at }) => (
      <time dateTime={created_at} title={created_at}>
        {project.dates.moment(created_at)}
      </time>
    ),
  },
  { name: words.asked, cell: (validation) => <Asked of={validation} /> },
  {
    name: words.validity,
    cell: ({ valid }) => (
      <Status tone={valid ? "ok" : "bad"} icon={valid ? "circleCheck" : "circleX"}>
        {valid ? words.valid : words.not_valid}
      </Status>
    ),
  },
  { name: words.who, cell: ({ customer_id }) => <Whom id={customer_id} people={people} /> },
  { name: words.request, cell: ({ group_id }) => <RequestLink id={group_id} /> },
];

/** Each code, with why it was refused or passed over. */
function Asked({ of: { redeemables } }: { of: Validation }) {
  const { id: project_id } = useProject();
  return redeemables.map(({ object, id, status, result }) => (
    <div key={`${object} ${id}`}>
      {object === "voucher" ? (
        <Link to={`/p/${project_id}/vouchers/${encodeURIComponent(id)}`}>
          <Clip code>{id}</Clip>
        </Link>
      ) : (
        <Clip code>{id}</Clip>
      )}
      {status !== "APPLICABLE" && (
        <small>
          <Clip>{result?.error.message ?? words.skipped}</Clip>
        </small>
      )}
    </div>
  ));
}

function Whom({ id, people }: { id: string | null; people: People }) {
  const project = useProject();
  if (id === null) return words.nobody;
  const customer = people.get(id);
  if (!customer) return words.gone;
  const name = <Clip>{nameOf(customer)}</Clip>;
  return project.may("customers.read") ? <Link to={`/p/${project.id}/customers/${id}`}>{name}</Link> : name;
}
