import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type Project, useProject } from "../../api/project.js";
import { Browse } from "../../parts/lists/browse.js";
import type { ListColumn } from "../../parts/lists/list.js";
import { t } from "../../text/index.js";
import { look, withIcon } from "../../ui/button.js";
import { PageHead, State } from "../../ui/page.js";
import { Clip } from "../../ui/table/clip.js";
import { conditionsOf } from "./conditions.js";
import { type Segment, type SegmentSearch, segment_types, segmentsQuery } from "./segments.queries.js";

const words = t.segments;
const find = { name: "find", label: words.find };
const filters = [
  {
    name: "type",
    label: words.type,
    options: segment_types.map((value) => ({ value, label: words.types_short[value] })),
  },
];
const sorts = [
  { value: "-created_at", label: t.list.newest },
  { value: "created_at", label: t.list.oldest },
];

/** All groups of customers. */
export function Segments() {
  const project = useProject();
  const search = useSearch({ strict: false }) as SegmentSearch;
  const segments = useQuery(segmentsQuery(project, search));
  const is_empty = segments.data?.data.length === 0 && !search.type && !search.find;
  const add = project.may("segments.create") && (
    <Link {...look({ kind: "primary" })} to={`/p/${project.id}/segments/new`}>
      {withIcon("plus", words.add)}
    </Link>
  );
  return (
    <>
      <PageHead title={words.title}>{!is_empty && add}</PageHead>
      <Browse
        {...{
          list: "segments",
          columns: () => columnsOf(project),
          of: segments,
          what: words.title,
          find,
          filters,
          sorts,
          found: words.found,
        }}
        none={(is_narrowed) => (
          <State icon="usersGroup" title={is_narrowed ? words.none_match : words.none}>
            {!is_narrowed && (
              <>
                {words.none_lead}
                {add}
              </>
            )}
          </State>
        )}
      />
    </>
  );
}

const columnsOf = (project: Project): ListColumn<Segment>[] => [
  {
    id: "name",
    name: words.name,
    cell: ({ id, name }) => (
      <Link to={`/p/${project.id}/segments/${id}`}>
        <Clip strong>{name}</Clip>
      </Link>
    ),
  },
  { id: "type", name: words.type, cell: ({ type }) => words.types_short[type] },
  {
    id: "conditions",
    name: words.conditions,
    cell: (segment) => <Clip>{conditionsOf(segment, project)}</Clip>,
  },
  { id: "created", name: words.created, cell: ({ created_at }) => project.dates.day(created_at) },
];
