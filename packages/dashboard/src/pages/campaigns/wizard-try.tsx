import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reasonOf } from "../../api/answer.js";
import { Refused, type Schemas } from "../../api/client.js";
import { decimalString, minorOf } from "../../api/money.js";
import { type Project, useProject } from "../../api/project.js";
import { useSettled } from "../../parts/conditions/settled.js";
import { previewQuery, type Verdict } from "../../parts/rules/preview.js";
import { useNameable } from "../../parts/rules/rules.queries.js";
import trying from "../../parts/rules/trying.module.css";
import { Answered } from "../../parts/rules/verdict.js";
import { t } from "../../text/index.js";
import { TextField } from "../../ui/field.js";
import { Card, Notice, Stack } from "../../ui/page.js";
import { discountOf, type Form, ruleOf } from "./wizard-form.js";
import { useChosenRule } from "./wizard-rule.js";

const words = t.rules.tester;

/** An order right where a number of the campaign decides. */
interface Edge {
  label: string;
  amount: number;
}

/** What customers get of coupons as they are typed, for whoever may ask: on an order of some amount and at the edges. Nothing is stored. */
export const TryIt = ({ form }: { form: Form }) => useProject().may("preview.create") && <Trial form={form} />;

function Trial({ form }: { form: Form }) {
  const project = useProject();
  const { digits, currency, money } = project;
  const [typed, setTyped] = useState<string | null>(null);
  const [customer, setCustomer] = useState("");
  const { names } = useNameable();
  const shown = typed ?? decimalString(usualOf(form, project), digits);
  const amount = minorOf(shown, digits);
  const edges = edgesOf(form, project);
  const asked = usePreviewOf(form, { amount, customer, edges });
  const settled = useSettled({ asked, edges });
  const { data, error, isFetching } = useQuery(previewQuery(project, settled.asked));
  const nobody = error instanceof Refused && error.status === 404 ? reasonOf(error) : undefined;
  const [verdict, ...others] = (settled.asked && !error ? data : undefined) ?? [];
  return (
    <Card title={words.title} note={words.note}>
      <Stack>
        <TextField
          label={words.amount}
          inputMode="decimal"
          unit={currency}
          value={shown}
          onChange={setTyped}
          error={amount === null ? t.conditions.missing.money(currency) : undefined}
        />
        <TextField
          label={words.customer}
          optional
          hint={t.wizard.try_customer_hint}
          value={customer}
          onChange={setCustomer}
          error={nobody}
        />
        <div role="status" aria-busy={isFetching} className={trying.answer}>
          {error && settled.asked && !nobody && <Notice>{reasonOf(error)}</Notice>}
          {!error && !verdict && (
            <p className={trying.lead}>{asked || isFetching ? words.trying : t.wizard.try_not_yet}</p>
          )}
          {verdict && <Answered of={verdict} names={names} />}
        </div>
        {verdict && settled.edges.length > 0 && (
          <section aria-label={words.at_edges}>
            <header className={trying.head}>
              <h3>{words.at_edges}</h3>
              <p>{words.edges_note}</p>
            </header>
            <ul className={trying.edges}>
              {settled.edges.map(({ label, amount }, i) => (
                <li key={label}>
                  <button type="button" onClick={() => setTyped(decimalString(amount, digits))}>
                    {label}
                    {others[i] && <em data-holds={others[i].holds || undefined}>{givesWords(others[i], money)}</em>}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </Stack>
    </Card>
  );
}

function givesWords({ holds, off }: Verdict, money: Project["money"]): string {
  if (!holds) return words.edge_fails;
  return off ? `− ${money(off)}` : words.edge_holds;
}

interface Tried {
  amount: number | null;
  customer: string;
  edges: readonly Edge[];
}

/** Whoever asks what a customer may do only once needs one: a name that nobody has stands for somebody who was never here. */
const somebody_new = "somebody who was never here";

/** The campaign as it stands, and the orders that it is tried on; null while it cannot be read. */
function usePreviewOf(form: Form, { amount, customer, edges }: Tried): Schemas["PreviewInput"] | null {
  const project = useProject();
  const chosen = useChosenRule(form);
  const discount = discountOf(form, project);
  if (!discount || amount === null || (form.rule !== "" && !chosen)) return null;
  const name = customer.trim();
  const customer_named = { [name.startsWith("cust_") ? "id" : "source_id"]: name === "" ? somebody_new : name };
  const carts = [amount, ...edges.map((edge) => edge.amount)].map((amount) => ({
    order: { amount },
    customer: customer_named,
  }));
  // Customers are counted by the code: of codes that nobody has made there is nothing else to count by.
  const rule = chosen?.rule ?? ruleOf("coupons", { ...form, codes: "generic" }, project);
  return { discount, validation_rule: rule, carts };
}

/** An order that comes to something: more than what it has to be at least. */
function usualOf(form: Form, { digits }: Project): number {
  const hundred = 100 * 10 ** digits;
  const minimum = form.rule === "" ? (minorOf(form.minimum, digits) ?? 0) : 0;
  return Math.max(hundred, Math.ceil(minimum * 1.25));
}

/** Just below the least that an order has to be, at it, and where a discount in percent is as high as it gets. */
function edgesOf(form: Form, project: Project): Edge[] {
  const { digits, money } = project;
  const minimum = form.rule === "" ? minorOf(form.minimum, digits) : null;
  const discount = discountOf(form, project);
  const { percent_off = 0, amount_limit = 0 } = discount?.type === "PERCENT" ? discount : {};
  const capped = percent_off && amount_limit ? Math.ceil((amount_limit * 100) / percent_off) : null;
  const amounts = [...(minimum ? [minimum - 1, minimum] : []), ...(capped ? [capped, 2 * capped] : [])];
  return [...new Set(amounts)]
    .filter((amount) => amount > 0)
    .sort((one, other) => one - other)
    .map((amount) => ({ label: words.edges.amount(money(amount)), amount }));
}
