import type { Schemas } from "../../api/client.js";
import type { Project } from "../../api/project.js";
import { objectIn, valuesIn } from "../../api/values.js";
import type { RowFaults } from "../../parts/conditions/operands.js";
import { fieldPart, type Part } from "../../parts/editing/clash.js";
import { t } from "../../text/index.js";
import { type Filter, type FilterForm, faultsIn, filterOf, formOf } from "./filter-form.js";
import { filterWords } from "./filter-words.js";
import type { Segment, SegmentType } from "./segments.queries.js";

const words = t.segments;
/** As many as the service looks up at once. */
const listed_max = 200;

/** Everything that the page asks, as it was typed. */
export interface SegmentForm {
  name: string;
  type: SegmentType;
  filter: FilterForm;
  /** Null: conditions are edited as rows. */
  json: string | null;
  customers: string;
}

export const empty_form: SegmentForm = {
  name: "",
  type: "passive",
  filter: { junction: "and", rows: [{ key: 0, field: "address.city", name: "", operator: "$is", value: "" }] },
  json: null,
  customers: "",
};

/** What stands in the form of a segment that is there. */
export function segmentForm({ name, type, filter }: Segment, project: Project): SegmentForm {
  if (filter === null) return { ...empty_form, name, type };
  const rows = formOf(filter as Filter, project);
  return { ...empty_form, name, type, ...(rows ? { filter: rows } : { json: JSON.stringify(filter, null, 2) }) };
}

/** The filter that the form says; null while it says none. */
export function filterIn({ filter, json }: SegmentForm, project: Project): Filter | null {
  return json === null ? filterOf(filter, project) : objectIn(json);
}

export const namesIn = ({ customers }: SegmentForm): string[] => [...new Set(valuesIn(customers))];

/** What others may change of it meanwhile. */
export const segmentParts = (project: Project): Part<SegmentForm>[] => [
  fieldPart("name", words.name),
  {
    name: "filter",
    label: words.conditions,
    said: (form) => filterWords(filterIn(form, project), project),
    is: (form) => JSON.stringify(filterIn(form, project)),
    taken: (mine, { filter, json }) => ({ ...mine, filter, json }),
  },
];

export interface SegmentFaults {
  name?: string | undefined;
  rows?: readonly RowFaults[];
  filter?: string | undefined;
  customers?: string | undefined;
}

/** What is wrong with it, by field. What is not asked, since it stays, is not wrong. */
export function segmentFaults(form: SegmentForm, is_new: boolean, project: Project): SegmentFaults {
  const faults: SegmentFaults = {};
  if (form.name.trim() === "") faults.name = words.name_missing;
  if (form.type === "static") {
    const names = is_new ? namesIn(form).length : 1;
    if (names === 0) faults.customers = words.customers_missing;
    if (names > listed_max) faults.customers = words.customers_many(names);
  } else if (is_new || form.type === "passive") {
    if (form.json !== null) {
      if (filterIn(form, project) === null) faults.filter = t.conditions.json_bad;
    } else {
      const rows = faultsIn(form.filter, project);
      if (rows.length === 0) faults.filter = t.conditions.missing.row;
      if (rows.some((row) => Object.keys(row).length > 0)) faults.rows = rows;
    }
  }
  return faults;
}

/** The segment as the service makes it. */
export const segmentOf = (
  form: SegmentForm,
  customers: readonly string[],
  project: Project,
): Schemas["SegmentCreate"] => ({
  name: form.name.trim(),
  type: form.type,
  ...(form.type === "static" ? { customers: [...customers] } : { filter: filterIn(form, project) }),
});

/** What somebody has changed of a segment, and nothing else: what another person has saved meanwhile stays. */
export function segmentChanges(before: Segment, form: SegmentForm, project: Project): Schemas["SegmentUpdate"] {
  const name = form.name.trim();
  const filter = before.type === "passive" ? filterIn(form, project) : null;
  const written =
    filter !== null && JSON.stringify(filter) !== JSON.stringify(filterIn(segmentForm(before, project), project));
  return { ...(name !== before.name && { name }), ...(written && { filter }) };
}
