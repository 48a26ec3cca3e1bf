import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type Project, useProject } from "../../api/project.js";
import { Browse } from "../../parts/browse.js";
import { type Rule, rulesQuery, useNameable } from "../../parts/rules/rules.queries.js";
import { type Names, sentenceOf } from "../../parts/rules/sentence.js";
import { t } from "../../text/index.js";
import { look, withIcon } from "../../ui/button.js";
import { PageHead, State } from "../../ui/page.js";
import { Clip } from "../../ui/table/clip.js";
import { type Column, Table } from "../../ui/table/table.js";

const words = t.rules;
const sorts = [
  { value: "-created_at", label: t.list.newest },
  { value: "created_at", label: t.list.oldest },
  { value: "name", label: words.by_name },
];

/** All rules, each with what it says. */
export function RuleList() {
  const project = useProject();
  const rules = useQuery(rulesQuery(project, useSearch({ strict: false })));
  const { names } = useNameable();
  const add = project.may("validation-rules.create") && (
    <Link {...look({ kind: "primary" })} to={`/p/${project.id}/rules/new`}>
      {withIcon("plus", words.add)}
    </Link>
  );
  return (
    <>
      <PageHead title={words.title}>{rules.data?.data.length !== 0 && add}</PageHead>
      <Browse
        {...{ of: rules, what: words.title, filters: [], sorts, found: words.found }}
        none={() => (
          <State icon="listCheck" title={words.none}>
            {words.none_lead}
            {add}
          </State>
        )}
      >
        {({ data }) => (
          <Table label={words.title} rows={data} keyOf={({ id }) => id} columns={columnsOf(project, names)} />
        )}
      </Browse>
    </>
  );
}

const columnsOf = (project: Project, names: Names): Column<Rule>[] => [
  {
    name: words.name,
    cell: ({ id, name }) => (
      <Link to={`/p/${project.id}/rules/${id}`}>
        <Clip strong>{name}</Clip>
      </Link>
    ),
  },
  { name: words.says, cell: ({ rules }) => <Clip>{sentenceOf(rules, project, names)}</Clip> },
  {
    name: words.uses,
    cell: ({ assignments_count: uses }) => (uses ? words.uses_of(project.count(uses)) : words.unused),
  },
  { name: words.created, cell: ({ created_at }) => project.dates.day(created_at) },
];
