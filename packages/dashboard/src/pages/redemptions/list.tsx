import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useProject } from "../../api/project.js";
import { Browse } from "../../parts/lists/browse.js";
import { useRedemptionColumns } from "../../parts/redemptions.js";
import { t } from "../../text/index.js";
import { State } from "../../ui/page.js";
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
  const redemptions = useQuery(redemptionsQuery(useProject(), useSearch({ strict: false }) as RedemptionSearch));
  const { columns, dialog } = useRedemptionColumns("both");
  return (
    <Frame>
      <Browse
        {...{
          list: "redemptions",
          columns: () => columns,
          of: redemptions,
          what: words.title,
          find,
          filters,
          found: words.found,
        }}
        none={(is_narrowed) => <State icon="receipt2" title={is_narrowed ? words.none_match : words.none} />}
      />
      {dialog}
    </Frame>
  );
}
