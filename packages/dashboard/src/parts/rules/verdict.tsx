import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Icon } from "../../ui/icon.js";
import { lackingWords, leavesOf, type RuleNode, sawWords } from "../explanation.js";
import type { Verdict } from "./preview.js";
import { fieldAt } from "./rule-fields.js";
import { leafWords, type Names } from "./sentence.js";
import styles from "./trying.module.css";

const words = t.rules.tester;

/** Whether it applies, what it comes to, and what each condition saw. */
export function Answered({ of: { holds, node, reason, message, total, off }, names }: { of: Verdict; names: Names }) {
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
