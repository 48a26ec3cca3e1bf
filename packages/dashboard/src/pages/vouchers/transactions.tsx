import { useQuery } from "@tanstack/react-query";
import { Answer } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Card, State } from "../../ui/page.js";
import { Table } from "../../ui/table/table.js";
import { transactionsQuery } from "./vouchers.queries.js";

const words = t.vouchers;

/** What moved a card's balance, and what was left after it. */
export function Transactions({ code }: { code: string }) {
  const project = useProject();
  const transactions = useQuery(transactionsQuery(project, code));
  return (
    <Card title={words.transactions} flush>
      <Answer of={transactions} what={words.transactions}>
        {({ data }) =>
          data.length === 0 ? (
            <State icon="receipt2" title={t.timeline.none} />
          ) : (
            <Table
              label={words.transactions}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { name: words.date, cell: ({ created_at }) => project.dates.moment(created_at) },
                {
                  name: words.transaction,
                  cell: ({ type, reason }) => (
                    <>
                      {type.replaceAll("_", " ").toLowerCase()}
                      {reason && <small>{reason}</small>}
                    </>
                  ),
                },
                { name: words.amount, align: "right", cell: ({ details }) => movedBy(details, project.money) },
                { name: words.balance, align: "right", cell: ({ details }) => leftAfter(details, project.money) },
              ]}
            />
          )
        }
      </Answer>
    </Card>
  );
}

type Details = unknown;
const balanceIn = (details: Details) =>
  ((details as { balance?: Record<string, unknown> } | null)?.balance ?? {}) as { amount?: number; balance?: number };
const movedBy = (details: Details, money: (minor: number) => string) => {
  const { amount } = balanceIn(details);
  return amount === undefined ? "" : `${amount > 0 ? "+" : ""}${money(amount)}`;
};
const leftAfter = (details: Details, money: (minor: number) => string) => {
  const { balance } = balanceIn(details);
  return balance === undefined ? "" : money(balance);
};
