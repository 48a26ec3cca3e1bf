import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { reasonIn } from "../../api/answer.js";
import { bodyOf, type Schemas } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import {
  besideOf,
  type Check,
  checkWords,
  headlineOf,
  lackingWords,
  leavesOf,
  nameWords,
  type RuleNode,
  sawWords,
  wantedWords,
} from "../../parts/explanation.js";
import { ruleQuery, useNameable } from "../../parts/rules/rules.queries.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Notice } from "../../ui/page.js";
import { refusalQuery } from "./vouchers.queries.js";
import styles from "./why.module.css";

type Refusal = NonNullable<Schemas["LastRefusal"]["refusal"]>;
const words = t.why;

/** Why a code was refused last: every check in its order, with what it saw. Nothing where it was not refused. */
export function Why({ code }: { code: string }) {
  const { data } = useQuery(refusalQuery(useProject(), code));
  return data?.refusal ? <Panel code={code} refusal={data.refusal} /> : null;
}

function Panel({ code, refusal }: { code: string; refusal: Refusal }) {
  const project = useProject();
  const { names } = useNameable();
  const again = useCheckAgain(code, refusal);
  const checks = (refusal.explanation?.checks ?? []) as Check[];
  const headline = headlineOf(checks, { ...project, names }) ?? refusal.message;
  return (
    <section className={styles.why} aria-label={words.refused}>
      <header className={styles.head}>
        <Icon name="circleX" size={20} />
        <h2>{words.because(headline)}</h2>
        <Button icon="refresh" busy={again.isPending} onClick={() => again.mutate()}>
          {words.again}
        </Button>
        <p>
          {project.dates.moment(refusal.created_at)} · {words.asked[refusal.asked_for]} · {words.request}{" "}
          <code>{refusal.request_id}</code> · <code>{refusal.key}</code>
        </p>
      </header>
      <div className={styles.again}>
        {again.error && <Notice>{reasonIn(again.error)}</Notice>}
        {again.data && <Now answer={again.data} />}
      </div>
      <div className={styles.body}>
        <div className={styles.checks}>
          <header>
            <h3>{words.in_order}</h3>
            <p>{words.as_then}</p>
          </header>
          {checks.map((check, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a check may come twice, and their order is what they are.
            <Step key={i} check={check} />
          ))}
        </div>
        <OrderSent order={refusal.order} />
      </div>
    </section>
  );
}

function Step({ check }: { check: Check }) {
  const { check: name, holds, node, rule_id } = check;
  return (
    <>
      <div className={styles.step} data-fails={holds ? undefined : true}>
        <Icon name={holds ? "check" : "x"} />
        <span>{typeof rule_id === "string" ? <RuleName id={rule_id} /> : checkWords(name)}</span>
        <span>{besideOf(check)}</span>
      </div>
      {node && (
        <div className={styles.leaves}>
          {leavesOf(node).map((leaf) => (
            <Leaf key={leaf.path} leaf={leaf} />
          ))}
        </div>
      )}
    </>
  );
}

/** Which rule was asked; one that was deleted since has no name any more. */
function RuleName({ id }: { id: string }) {
  const project = useProject();
  const { data } = useQuery({ ...ruleQuery(project, id), enabled: project.may("validation-rules.read"), retry: false });
  if (!data) return checkWords("rules");
  return (
    <Link to={`/p/${project.id}/rules/${id}`}>
      <bdi>{words.rule(data.name)}</bdi>
    </Link>
  );
}

function Leaf({ leaf }: { leaf: RuleNode }) {
  const writes = useProject();
  const project = { ...writes, names: useNameable().names };
  const fails = leaf.holds === false;
  const lacking = fails && lackingWords(leaf, project);
  if (leaf.holds === null)
    return (
      <div className={styles.leaf}>
        <Icon name="minus" />
        <span>{nameWords(leaf)}</span>
        <span>{words.not_reached}</span>
      </div>
    );
  return (
    <div className={styles.leaf} data-fails={fails || undefined}>
      <Icon name={fails ? "x" : "check"} />
      <span>{nameWords(leaf)}</span>
      <span>
        <strong>{sawWords(leaf, project)}</strong> {words.wanted} <strong>{wantedWords(leaf, project)}</strong>{" "}
        {lacking && <em>{lacking}</em>}
      </span>
    </div>
  );
}

interface Line {
  quantity?: number;
  price?: number;
  amount?: number;
  product?: { name?: string };
  product_id?: string;
  source_id?: string;
}

const amountOf = ({ amount, price = 0, quantity = 1 }: Line) => amount ?? price * quantity;

function OrderSent({ order }: { order: Refusal["order"] }) {
  const { money } = useProject();
  const { amount, items = [] } = (order ?? {}) as { amount?: number; items?: Line[] };
  // An order that was sent with its lines alone.
  const total = amount ?? (items.length > 0 ? items.reduce((sum, line) => sum + amountOf(line), 0) : undefined);
  return (
    <aside className={styles.order} aria-label={words.order_sent}>
      <h3>{words.order_sent}</h3>
      {order === null && <p>{words.no_order}</p>}
      <ul>
        {items.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names of their own.
          <li key={i}>
            <span>
              {line.product?.name ?? line.source_id ?? line.product_id ?? "–"}
              <small>
                {line.quantity ?? 1}
                {line.price === undefined ? "" : ` × ${money(line.price)}`}
              </small>
            </span>
            <span>{money(amountOf(line))}</span>
          </li>
        ))}
      </ul>
      {total !== undefined && (
        <footer>
          <span>{words.total}</span>
          <span>{money(total)}</span>
        </footer>
      )}
    </aside>
  );
}

/** The same order, asked about as things are now. */
function useCheckAgain(code: string, { order, customer_id }: Refusal) {
  const { api } = useProject();
  return useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST("/v1/validations", {
          body: {
            redeemables: [{ object: "voucher", id: code }],
            ...(order ? { order } : {}),
            ...(customer_id ? { customer: { id: customer_id } } : {}),
            options: { expand: ["explanation"] },
          } as Schemas["RedeemablesRequest"],
        }),
      ),
  });
}

function Now({ answer }: { answer: unknown }) {
  const writes = useProject();
  const project = { ...writes, names: useNameable().names };
  const { valid, redeemables = [] } = answer as {
    valid: boolean;
    redeemables?: { explanation?: { checks: Check[] } }[];
  };
  if (valid) return <Notice tone="ok">{words.now_applies}</Notice>;
  const headline = headlineOf(redeemables[0]?.explanation?.checks ?? [], project) ?? "";
  return <Notice tone="warn">{words.still(headline)}</Notice>;
}
