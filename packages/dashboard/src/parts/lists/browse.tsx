import type { UseQueryResult } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Answer } from "../../api/answer.js";
import { askedBy } from "../../api/filters.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { type Filter, FilterBar } from "../../ui/list/filter-bar.js";
import { Pages } from "../../ui/list/pages.js";
import { Sorting } from "../../ui/list/sorting.js";
import { Card } from "../../ui/page.js";
import { Table } from "../../ui/table/table.js";
import type { Acts } from "./acts.js";
import { ColumnsMenu, shownOf, useColumns } from "./columns.js";
import { type Gappy, type ListColumn, type Listed, type ListSearch, withoutGaps } from "./list.js";
import { boxesOf, SelectionBar, useSelection } from "./selection.js";
import { SaveView, useViews, ViewTabs } from "./views.js";

/** What every list has. */
interface Frame<Page> {
  of: UseQueryResult<Page>;
  /** As it stands in a sentence: `Orders`. */
  what: string;
  filters: readonly Filter[];
  /** The filter that has a field of its own. */
  find?: Filter;
  /** The first is the order unless somebody chooses. */
  sorts?: readonly { value: string; label: string }[];
  /** What stands there where there is nothing, or nothing of what was asked for. */
  none: (is_narrowed: boolean) => ReactNode;
  /** Turns `12` into `12 orders`. */
  found?: (count: string) => string;
}

type RowOf<Page extends Listed> = Page["data"][number];

interface BrowseProps<Page extends Listed> extends Frame<Page> {
  /** By which columns and views of it are kept, and what its answers are cached under. */
  list: string;
  columns: (page: Page) => readonly ListColumn<RowOf<Page>>[];
  /** What may be done to several rows at once, and how the list is read on. */
  bulk?: { acts: Acts<RowOf<Page>>; read: (search: ListSearch) => Promise<Listed<RowOf<Page>>> };
}

/** A list as a table: with columns of one's own, views that one keeps, and what is done to many rows at once. */
export function Browse<Page extends Listed>(props: BrowseProps<Page>) {
  const { list, columns, bulk, ...frame } = props;
  const page = frame.of.data;
  const { search, go } = useListSearch();
  const { chosen, choose } = useColumns(list, search, (columns) => go({ ...search, columns }));
  const views = useViews(list, search);
  const selection = useSelection<RowOf<Page>>(page?.data ?? [], JSON.stringify(askedBy<ListSearch>(search)));
  const acts = bulk && bulk.acts.all.length > 0 ? bulk.acts : undefined;
  const all = page ? columns(page) : [];
  const { after: _after, ...asked } = askedBy<ListSearch>(search);
  const readOn = (after: string | undefined) => bulk?.read(after === undefined ? asked : { ...asked, after });
  return (
    <>
      <ViewTabs of={views} />
      <ListFrame
        {...frame}
        beside={<SaveView of={views} columns={chosen} onSaved={go} />}
        end={page && page.data.length > 0 && <ColumnsMenu all={all} chosen={chosen} onChoose={choose} />}
      >
        {({ data }) => (
          <Table
            label={frame.what}
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              ...(acts ? [boxesOf(selection, { rows: data, nameOf: acts.nameOf })] : []),
              ...shownOf(all, chosen),
            ]}
            isMarked={selection.has}
          />
        )}
      </ListFrame>
      {acts && page && <SelectionBar<RowOf<Page>> {...{ list, of: selection, page, acts, read: readOn }} />}
    </>
  );
}

interface ListFrameProps<Page> extends Frame<Page> {
  /** What stands behind the filters, and at the end of their line. */
  beside?: ReactNode;
  end?: ReactNode;
  children: (page: Page) => ReactNode;
}

/** A list by cursor: its filters, the rows, how many there are, and the way on. All of its state stands in the address. */
export function ListFrame<Page extends Listed>({
  of,
  what,
  filters,
  find,
  sorts,
  none,
  ...shown
}: ListFrameProps<Page>) {
  const { count } = useProject();
  const { search, go } = useListSearch();
  const { after, sort, columns, view, ...values } = search;
  const { found = (text) => text, beside, end, children } = shown;
  const kept: ListSearch = { ...(sort && { sort }), ...(columns && { columns }), ...(view && { view }) };
  return (
    <>
      <FilterBar
        filters={filters}
        values={values}
        onChange={(changed) => go({ ...kept, ...changed })}
        beside={beside}
        {...(find && { find })}
      >
        {sorts && <Sorting value={sort} options={sorts} onChange={(sort) => go({ ...values, ...kept, sort })} />}
        {end}
      </FilterBar>
      <Card flush>
        <Answer of={of} what={what}>
          {(page) =>
            page.data.length === 0 ? (
              none(Object.keys(values).length > 0)
            ) : (
              <>
                {children(page)}
                <Pages
                  found={found(t.list.found(count(page.total), page.total_estimated === true))}
                  onFirst={after ? () => go({ ...values, ...kept }) : undefined}
                  onNext={
                    page.has_more ? () => go({ ...values, ...kept, after: page.data.at(-1)?.id ?? "" }) : undefined
                  }
                />
              </>
            )
          }
        </Answer>
      </Card>
    </>
  );
}

function useListSearch() {
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as ListSearch;
  const go = (next: Gappy) => void navigate({ to: ".", search: withoutGaps(next) as never });
  return { search, go };
}
