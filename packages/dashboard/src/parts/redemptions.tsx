import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Schemas } from "../api/client.js";
import { nameOf } from "../api/people.js";
import { type Project, useProject } from "../api/project.js";
import { t } from "../text/index.js";
import { Button } from "../ui/button.js";
import type { IconName } from "../ui/icon.js";
import { State } from "../ui/page.js";
import { Status, type Tone } from "../ui/status.js";
import { Clip } from "../ui/table/clip.js";
import { Table } from "../ui/table/table.js";
import type { ListColumn } from "./lists/list.js";
import { RollBack } from "./rollback.js";

type Redemption = Schemas["Redemption"];

const looks: Record<Redemption["status"], readonly [Tone, IconName]> = {
  SUCCEEDED: ["ok", "circleCheck"],
  FAILED: ["bad", "circleX"],
  ROLLED_BACK: ["mute", "arrowBackUp"],
};
const words = t.redemptions;

type Shows = "customer" | "incentive" | "both";

interface RedemptionTableProps {
  of: readonly Redemption[];
  /** What a row says beside what became of it: who it was, or, on a page of theirs, what they redeemed. */
  shows?: Shows;
}

/** What was redeemed, refused and rolled back, each with the way to undo it. */
export function RedemptionTable({ of, shows = "customer" }: RedemptionTableProps) {
  const { columns, dialog } = useRedemptionColumns(shows);
  if (of.length === 0) return <State icon="receipt2" title={words.none} />;
  return (
    <>
      <Table
        label={words.title}
        rows={of}
        keyOf={({ id }) => id}
        columns={columns.filter(({ is_extra }) => !is_extra)}
      />
      {dialog}
    </>
  );
}

/** What a list of redemptions shows of each, and the question that undoing one asks. */
export function useRedemptionColumns(shows: Shows) {
  const project = useProject();
  const [undone, setUndone] = useState<string | null>(null);
  const may = project.may("redemptions.rollbacks.create");
  return {
    columns: columnsOf(project, shows, may ? setUndone : undefined),
    dialog: undone && <RollBack redemption_id={undone} onClose={() => setUndone(null)} />,
  };
}

function columnsOf(
  { id: project_id, dates, money, may }: Project,
  shows: Shows,
  onUndo: ((id: string) => void) | undefined,
): ListColumn<Redemption>[] {
  const incentive = {
    id: "incentive",
    name: words.incentive,
    cell: (redemption: Redemption) => <What of={redemption} />,
  };
  const customer = { id: "customer", name: words.customer, cell: (redemption: Redemption) => <Who of={redemption} /> };
  return [
    {
      id: "date",
      name: words.date,
      cell: ({ id, date }) => (
        <Link to={`/p/${project_id}/redemptions/${id}`}>
          <time dateTime={date}>{dates.moment(date)}</time>
        </Link>
      ),
    },
    { id: "result", name: words.result, cell: (redemption) => <Outcome of={redemption} /> },
    ...(shows === "customer" ? [] : [incentive]),
    ...(shows === "incentive" ? [] : [customer]),
    { id: "id", name: t.list.id, is_extra: true, cell: ({ id }) => <Clip code>{id}</Clip> },
    {
      id: "order",
      name: words.order,
      align: "right",
      cell: ({ order }) => {
        if (order?.amount === undefined || order.amount === null) return "";
        if (!order.id || !may("orders.read")) return money(order.amount);
        return <Link to={`/p/${project_id}/orders/${order.id}`}>{money(order.amount)}</Link>;
      },
    },
    { id: "discount", name: words.discount, align: "right", cell: (redemption) => amountOf(redemption, money) },
    {
      id: "roll_back",
      name: words.roll_back,
      hidden_name: true,
      align: "right",
      cell: ({ id, object, status, redemption: parent }) =>
        onUndo &&
        object === "redemption" &&
        // A part of a stack is undone with the others, by the stack.
        parent === null &&
        status === "SUCCEEDED" && (
          <Button size="small" icon="arrowBackUp" onClick={() => onUndo(id)}>
            {words.roll_back}
          </Button>
        ),
    },
  ];
}

interface OutcomeProps {
  of: Redemption;
  /** Where the reason stands elsewhere. */
  brief?: boolean;
}

/** What became of it. */
export function Outcome({ of: { object, status, failure_message, failure_code, reason }, brief }: OutcomeProps) {
  const [tone, icon] = object === "redemption_rollback" ? looks.ROLLED_BACK : looks[status];
  const word = object === "redemption_rollback" ? words.rollback : words.results[status];
  const said = !brief && (failure_message ?? failure_code ?? reason);
  return (
    <>
      <Status tone={tone} icon={icon}>
        {word}
      </Status>
      {said && <small>{said}</small>}
    </>
  );
}

/** Whose it was, with the way to them. */
function Who({ of: { customer } }: { of: Redemption }) {
  const { id, may } = useProject();
  if (!customer) return <>{words.anonymous}</>;
  return may("customers.read") ? (
    <Link to={`/p/${id}/customers/${customer.id}`}>{nameOf(customer)}</Link>
  ) : (
    nameOf(customer)
  );
}

/** What a promotion is called. Of one that was refused there is no more than its id. */
export function promotionNameOf({ promotion_tier }: Pick<Redemption, "promotion_tier">): string | undefined {
  const { id, name, banner } = (promotion_tier ?? {}) as { id?: string; name?: string; banner?: string | null };
  return banner || name || id;
}

/** What was redeemed: a code, a promotion, or several things at once. */
function What({ of: { voucher, promotion_tier, object } }: { of: Redemption }) {
  const { id } = useProject();
  const { code } = (voucher ?? {}) as { code?: string };
  if (code)
    return (
      <Link to={`/p/${id}/vouchers/${encodeURIComponent(code)}`}>
        <code>{code}</code>
      </Link>
    );
  return <>{promotionNameOf({ promotion_tier }) || (object === "redemption" ? words.stack : "")}</>;
}

/** How much less somebody paid through it. */
export function amountOf({ order, gift }: Redemption, money: (minor: number) => string): string {
  if (gift) return money(gift.amount);
  const applied = order?.total_applied_discount_amount ?? order?.total_discount_amount;
  return typeof applied === "number" ? money(applied) : "";
}
