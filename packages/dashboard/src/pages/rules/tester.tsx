import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reasonOf } from "../../api/answer.js";
import { Refused } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import { useSettled } from "../../parts/conditions/settled.js";
import { previewQuery, type Verdict } from "../../parts/rules/preview.js";
import type { Names } from "../../parts/rules/sentence.js";
import styles from "../../parts/rules/trying.module.css";
import { Answered } from "../../parts/rules/verdict.js";
import { t } from "../../text/index.js";
import { Card, Notice, Stack } from "../../ui/page.js";
import { type CartForm, cartOf, discountOf, empty_cart, faultsOf } from "./cart.js";
import { CartFields } from "./cart-fields.js";
import { type Edge, edgesOf } from "./edges.js";
import { type RuleForm, ruleOf, rulesIn } from "./rule-form.js";

const words = t.rules.tester;

/** A cart by hand, and what the rule as it stands says of it and of carts at its edges. */
export function Tester({ form, names }: { form: RuleForm; names: Names }) {
  const project = useProject();
  const [cart, setCart] = useState<CartForm>(empty_cart);
  const rules = rulesIn(form, project);
  const faults = faultsOf(cart, project);
  const edges = rules ? edgesOf(rules, cart, project) : [];
  const asked =
    rules && !faults
      ? {
          discount: discountOf(cart),
          validation_rule: { ...ruleOf(form, project), name: form.name.trim() || words.title },
          carts: [cart, ...edges.map(({ change }) => ({ ...cart, ...change }))].map((one) =>
            cartOf(one, rules, project),
          ),
        }
      : null;
  const settled = useSettled({ asked, edges });
  const { data, error, isFetching } = useQuery(previewQuery(project, settled.asked));
  const nobody = error instanceof Refused && error.status === 404 ? reasonOf(error) : undefined;
  const answered = settled.asked && !error ? data : undefined;
  const [verdict, ...others] = answered ?? [];
  return (
    <Card title={words.title} note={words.note}>
      <Stack>
        <CartFields {...{ cart, faults, rules, nobody }} onChange={setCart} />
        <div role="status" aria-busy={isFetching} className={styles.answer}>
          {error && settled.asked && !nobody && <Notice>{reasonOf(error)}</Notice>}
          {!error && !verdict && (
            <p className={styles.lead}>{faults ? words.wrong : isFetching ? words.trying : words.not_yet}</p>
          )}
          {verdict && <Answered of={verdict} names={names} />}
        </div>
        {verdict && settled.edges.length > 0 && (
          <AtEdges edges={settled.edges} verdicts={others} onChoose={(change) => setCart({ ...cart, ...change })} />
        )}
      </Stack>
    </Card>
  );
}

interface EdgesProps {
  edges: readonly Edge[];
  verdicts: readonly Verdict[];
  onChoose: (change: Edge["change"]) => void;
}

const AtEdges = ({ edges, verdicts, onChoose }: EdgesProps) => (
  <section aria-label={words.at_edges}>
    <header className={styles.head}>
      <h3>{words.at_edges}</h3>
      <p>{words.edges_note}</p>
    </header>
    <ul className={styles.edges}>
      {edges.map(({ label, change }, i) => (
        <li key={label}>
          <button type="button" onClick={() => onChoose(change)}>
            <span dir="auto">{label}</span>
            {verdicts[i] && (
              <em data-holds={verdicts[i].holds || undefined}>
                {verdicts[i].holds ? words.edge_holds : words.edge_fails}
              </em>
            )}
          </button>
        </li>
      ))}
    </ul>
  </section>
);
