import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type Project, useProject } from "../../api/project.js";
import { Browse } from "../../parts/lists/browse.js";
import type { ListColumn } from "../../parts/lists/list.js";
import { type Rule, rulesQuery, useNameable } from "../../parts/rules/rules.queries.js";
import { type Names, sentenceOf } from "../../parts/rules/sentence.js";
import { t } from "../../text/index.js";
import { look, withIcon } from "../../ui/button.js";
import { PageHead, State } from "../../ui/page.js";
import { Clip } from "../../ui/table/clip.js";

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
        {...{
          list: "rules",
          columns: () => columnsOf(project, names),
          of: rules,
          what: words.title,
          filters: [],
          sorts,
          found: words.found,
        }}
        none={() => (
          <State icon="listCheck" title={words.none}>
            {words.none_lead}
            {add}
          </State>
        )}
      />
    </>
  );
}

const columnsOf = (project: Project, names: Names): ListColumn<Rule>[] => [
  {
    id: "name",
    name: words.name,
    cell: ({ id, name }) => (
      <Link to={`/p/${project.id}/rules/${id}`}>
        <Clip strong>{name}</Clip>
      </Link>
    ),
  },
  { id: "says", name: words.says, cell: ({ rules }) => <Clip>{sentenceOf(rules, project, names)}</Clip> },
  {
    id: "uses",
    name: words.uses,
    cell: ({ assignments_count: uses }) => (uses ? words.uses_of(project.count(uses)) : words.unused),
  },
  { id: "created", name: words.created, cell: ({ created_at }) => project.dates.day(created_at) },
];
