import { useState } from "react";
import type { Schemas } from "../api/client.js";
import { useProject } from "../api/project.js";
import { t } from "../text/index.js";
import { Button } from "../ui/button.js";
import type { IconName } from "../ui/icon.js";
import { State } from "../ui/page.js";
import { Status, type Tone } from "../ui/status.js";
import { type Column, Table } from "../ui/table/table.js";
import { RollBack } from "./rollback.js";

type Redemption = Schemas["Redemption"];

const looks: Record<Redemption["status"], readonly [Tone, IconName]> = {
  SUCCEEDED: ["ok", "circleCheck"],
  FAILED: ["bad", "circleX"],
  ROLLED_BACK: ["mute", "arrowBackUp"],
};
const words = t.redemptions;

/** What was redeemed, refused and rolled back, each with the way to undo it. */
export function RedemptionTable({ of }: { of: readonly Redemption[] }) {
  const project = useProject();
  const [undone, setUndone] = useState<string | null>(null);
  if (of.length === 0) return <State icon="receipt2" title={words.none} />;
  const may = project.may("redemptions.rollback.create");
  return (
    <>
      <Table label={words.title} rows={of} keyOf={({ id }) => id} columns={columnsOf(project, may, setUndone)} />
      {undone && <RollBack redemption_id={undone} onClose={() => setUndone(null)} />}
    </>
  );
}

function columnsOf(
  { dates, money }: ReturnType<typeof useProject>,
  may: boolean,
  onUndo: (id: string) => void,
): Column<Redemption>[] {
  return [
    { name: words.date, cell: ({ date }) => <time dateTime={date}>{dates.moment(date)}</time> },
    { name: words.result, cell: (redemption) => <Outcome of={redemption} /> },
    {
      name: words.customer,
      cell: ({ customer }) => customer?.name ?? customer?.source_id ?? customer?.email ?? words.anonymous,
    },
    {
      name: words.order,
      align: "right",
      cell: ({ order }) => (order?.amount === undefined || order.amount === null ? "" : money(order.amount)),
    },
    { name: words.discount, align: "right", cell: (redemption) => amountOf(redemption, money) },
    {
      name: words.roll_back,
      hidden_name: true,
      align: "right",
      cell: ({ id, object, status }) =>
        may &&
        object === "redemption" &&
        status === "SUCCEEDED" && (
          <Button size="small" icon="arrowBackUp" onClick={() => onUndo(id)}>
            {words.roll_back}
          </Button>
        ),
    },
  ];
}

function Outcome({ of: { object, status, failure_message, failure_code, reason } }: { of: Redemption }) {
  const [tone, icon] = object === "redemption_rollback" ? looks.ROLLED_BACK : looks[status];
  const word = object === "redemption_rollback" ? words.rollback : words.results[status];
  const said = failure_message ?? failure_code ?? reason;
  return (
    <>
      <Status tone={tone} icon={icon}>
        {word}
      </Status>
      {said && <small>{said}</small>}
    </>
  );
}

function amountOf({ order, gift }: Redemption, money: (minor: number) => string): string {
  if (gift) return money(gift.amount);
  const applied = order?.total_applied_discount_amount ?? order?.total_discount_amount;
  return typeof applied === "number" ? money(applied) : "";
}
