import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useProject } from "../../api/project.js";
import { customerColumns } from "../../parts/customers.js";
import { ImportLink } from "../../parts/import-link.js";
import { Browse } from "../../parts/lists/browse.js";
import { t } from "../../text/index.js";
import { PageHead, State } from "../../ui/page.js";
import { type CustomerSearch, customersQuery, segmentsQuery } from "./customers.queries.js";

const words = t.customers;
const find = { name: "find", label: words.find };
const sorts = [
  { value: "-created_at", label: t.list.newest },
  { value: "created_at", label: t.list.oldest },
  { value: "-updated_at", label: words.changed },
];

/** Everybody a project knows. */
export function Customers() {
  const project = useProject();
  const customers = useQuery(customersQuery(project, useSearch({ strict: false }) as CustomerSearch));
  const filters = useFilters();
  return (
    <>
      <PageHead title={words.title}>
        <ImportLink of="customers" needs="customers.importCSV.create" />
      </PageHead>
      <Browse
        {...{
          list: "customers",
          columns: () => customerColumns(project),
          of: customers,
          what: words.title,
          find,
          filters,
          sorts,
          found: words.found,
        }}
        none={(is_narrowed) => (
          <State icon="users" title={is_narrowed ? words.none_match : words.none}>
            {is_narrowed ? words.none_match_lead : words.none_lead}
          </State>
        )}
      />
    </>
  );
}

/** Segments are chosen by their names, where the role shows them. */
function useFilters() {
  const project = useProject();
  const may = project.may("segments.read");
  const { data = [] } = useQuery({ ...segmentsQuery(project), enabled: may });
  const options = data.map(({ id, name }) => ({ value: id, label: name }));
  return [
    ...(options.length > 0 ? [{ name: "segment", label: words.segment, options }] : []),
    { name: "city", label: words.city },
  ];
}
