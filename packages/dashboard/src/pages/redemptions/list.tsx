import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Answer } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { RedemptionTable } from "../../parts/redemptions.js";
import { t } from "../../text/index.js";
import { FilterBar } from "../../ui/list/filter-bar.js";
import { Pages } from "../../ui/list/pages.js";
import { Card, State } from "../../ui/page.js";
import { Frame } from "./layout.js";
import { type RedemptionSearch, redemptionsQuery } from "./redemptions.queries.js";

const words = t.redemption_pages;
const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
const find = { name: "code", label: words.code };
const filters = [
  { name: "result", label: words.result, options: optionsOf(words.results) },
  { name: "time", label: words.time, options: optionsOf(words.times) },
  { name: "campaign", label: words.campaign },
  { name: "customer", label: words.customer_short },
];

/** All that was redeemed, refused and rolled back in a project. */
export function Redemptions() {
  const project = useProject();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as RedemptionSearch;
  const redemptions = useQuery(redemptionsQuery(project, search));
  const { after, ...values } = search;
  const go = (next: RedemptionSearch) => void navigate({ to: ".", search: next as never });
  return (
    <Frame>
      <FilterBar find={find} filters={filters} values={values} onChange={go} />
      <Card flush>
        <Answer of={redemptions} what={words.title}>
          {({ data, total, total_estimated, has_more }) =>
            data.length === 0 ? (
              <State icon="receipt2" title={Object.keys(values).length > 0 ? words.none_match : words.none} />
            ) : (
              <>
                <RedemptionTable of={data} shows="both" />
                <Pages
                  found={t.list.found(project.count(total), total_estimated === true)}
                  onFirst={after ? () => go(values) : undefined}
                  onNext={has_more ? () => go({ ...search, after: data.at(-1)?.id ?? "" }) : undefined}
                />
              </>
            )
          }
        </Answer>
      </Card>
    </Frame>
  );
}
