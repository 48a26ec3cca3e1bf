import type { UseQueryResult } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Answer } from "../api/answer.js";
import { useProject } from "../api/project.js";
import { t } from "../text/index.js";
import { type Filter, FilterBar } from "../ui/list/filter-bar.js";
import { Pages } from "../ui/list/pages.js";
import { Sorting } from "../ui/list/sorting.js";
import { Card } from "../ui/page.js";

/** What stands in the address of a list: what it is filtered by, its order, and the row that a page begins after. */
type ListSearch = Readonly<Record<string, string | undefined>>;

/** A page of a list as the service answers it. */
interface Listed {
  data: readonly { id: string }[];
  total: number;
  total_estimated?: true;
  has_more?: boolean;
}

interface BrowseProps<Page extends Listed> {
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
  children: (page: Page) => ReactNode;
}

/** A list by cursor: its filters, the rows, how many there are, and the way on. All of its state stands in the address. */
export function Browse<Page extends Listed>({ of, what, filters, find, sorts, none, ...shown }: BrowseProps<Page>) {
  const { count } = useProject();
  const navigate = useNavigate();
  const { after, sort, ...values } = useSearch({ strict: false }) as ListSearch;
  const { found = (text) => text, children } = shown;
  const sorted: ListSearch = sort ? { sort } : {};
  const go = (next: ListSearch) => void navigate({ to: ".", search: next as never });
  return (
    <>
      <FilterBar
        filters={filters}
        values={values}
        onChange={(changed) => go({ ...sorted, ...changed })}
        {...(find && { find })}
      >
        {sorts && <Sorting value={sort} options={sorts} onChange={(sort) => go({ ...values, sort })} />}
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
                  onFirst={after ? () => go({ ...values, ...sorted }) : undefined}
                  onNext={
                    page.has_more ? () => go({ ...values, ...sorted, after: page.data.at(-1)?.id ?? "" }) : undefined
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
