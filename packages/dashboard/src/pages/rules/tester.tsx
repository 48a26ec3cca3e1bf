import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reasonOf } from "../../api/answer.js";
import { Refused } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import { useSettled } from "../../parts/conditions/settled.js";
import { lackingWords, leavesOf, type RuleNode, sawWords } from "../../parts/explanation.js";
import { fieldAt } from "../../parts/rules/rule-fields.js";
import { leafWords, type Names } from "../../parts/rules/sentence.js";
import { t } from "../../text/index.js";
import { Icon } from "../../ui/icon.js";
import { Card, Notice, Stack } from "../../ui/page.js";
import { type CartForm, cartOf, discountOf, empty_cart, faultsOf } from "./cart.js";
import { CartFields } from "./cart-fields.js";
import { type Edge, edgesOf } from "./edges.js";
import { type RuleForm, ruleOf, rulesIn } from "./rule-form.js";
import styles from "./tester.module.css";
import { previewQuery, type Verdict } from "./tester.queries.js";

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

function Answered({ of: { holds, node, reason, message, total, off }, names }: { of: Verdict; names: Names }) {
  const { money } = useProject();
  return (
    <>
      <div className={styles.verdict} data-holds={holds || undefined}>
        <Icon name={holds ? "circleCheck" : "circleX"} size={20} />
        <div>
          <strong>{holds ? words.applies : words.fails}</strong>
          {!holds && reason && <p>{words.because(reason)}</p>}
          {!holds && message && <p dir="auto">{words.shops_see(message)}</p>}
          {holds && total !== null && off !== null && off > 0 && <p>{words.to_pay(money(total), money(off))}</p>}
        </div>
      </div>
      {node && leavesOf(node).length > 0 && (
        <div>
          <h3>{words.saw}</h3>
          <ul className={styles.leaves}>
            {leavesOf(node).map((leaf) => (
              <Saw key={leaf.path} leaf={leaf} names={names} />
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** One condition: whether it holds, and by what. */
function Saw({ leaf, names }: { leaf: RuleNode; names: Names }) {
  const project = useProject();
  const { path, name, property = null, holds, wanted } = leaf;
  const lacking = holds === false && lackingWords(leaf, project);
  const state = holds === null ? t.why.not_reached : holds ? words.holds : words.does_not;
  return (
    <li data-holds={holds ?? undefined} data-within={path.includes(".") || undefined}>
      <Icon name={holds === null ? "minus" : holds ? "check" : "x"} />
      <span dir="auto">
        <span className="visually-hidden">{state}: </span>
        {leafWords({ name: name ?? "", property, conditions: wanted }, project, names)}
      </span>
      <span>
        {holds === null ? t.why.not_reached : sawOf(leaf)}
        {lacking && <em>{lacking}</em>}
      </span>
    </li>
  );

  function sawOf(node: RuleNode): string {
    const { saw } = node;
    if (saw === null || saw === undefined || (Array.isArray(saw) && saw.length === 0)) return words.nothing;
    // Lines are told by their places in the order.
    if (fieldAt(node.name ?? "")?.field.kind === "items" && Array.isArray(saw))
      return words.lines(project.count(saw.length));
    return sawWords(node, { ...project, names });
  }
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
