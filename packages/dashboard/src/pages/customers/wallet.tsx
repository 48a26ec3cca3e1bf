import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Answer } from "../../api/answer.js";
import { incentiveWords, stateOf } from "../../api/incentive.js";
import { useProject } from "../../api/project.js";
import { Uses } from "../../parts/uses.js";
import { VoucherStatus } from "../../parts/voucher-status.js";
import { t } from "../../text/index.js";
import { More } from "../../ui/list/more.js";
import { Card, State } from "../../ui/page.js";
import { type Column, Table } from "../../ui/table/table.js";
import styles from "./customers.module.css";
import { type Held, tiersOfQuery, walletQuery } from "./customers.queries.js";

const words = t.customers;

/** Every code that belongs to somebody, with what is left on it. */
export function Wallet({ id }: { id: string }) {
  const project = useProject();
  const wallet = useInfiniteQuery(walletQuery(project, id));
  const columns: Column<Held>[] = [
    { name: t.vouchers.code, cell: (held) => <Code of={held} /> },
    {
      name: t.vouchers.gives,
      cell: ({ redeemable: { voucher } }) => (
        <>
          {incentiveWords(voucher, project)}
          {voucher.campaign && <small>{voucher.campaign}</small>}
        </>
      ),
    },
    { name: t.vouchers.status, cell: ({ redeemable }) => <VoucherStatus state={stateOf(redeemable.voucher)} /> },
    {
      name: words.valid,
      cell: ({ redeemable: { voucher } }) =>
        project.dates.range(voucher.start_date, voucher.expiration_date) || t.vouchers.always,
    },
    { name: words.left, align: "right", cell: ({ redeemable }) => <Uses of={redeemable.voucher} /> },
  ];
  return (
    <Card title={words.wallet} note={words.wallet_lead} flush>
      <Answer of={wallet} what={words.wallet}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) return <State icon="ticket" title={words.no_codes} />;
          return (
            <>
              <Table label={words.wallet} rows={rows} keyOf={({ id }) => id} columns={columns} />
              <More of={wallet} />
            </>
          );
        }}
      </Answer>
    </Card>
  );
}

function Code({ of: { redeemable } }: { of: Held }) {
  const { id } = useProject();
  const { code } = redeemable.voucher;
  return (
    <Link to={`/p/${id}/vouchers/${encodeURIComponent(code)}`} className={styles.code}>
      {code}
    </Link>
  );
}

/** Their loyalty cards: points, those that come and go, and the tier. Nothing where there is no card. */
export function Cards({ id }: { id: string }) {
  const project = useProject();
  const { data } = useInfiniteQuery(walletQuery(project, id));
  const held = data?.pages.flatMap((page) => page.data).filter(({ voucher_type }) => voucher_type === "LOYALTY_CARD");
  if (!held || held.length === 0) return null;
  const columns: Column<Held>[] = [
    { name: words.program, cell: ({ redeemable }) => <strong>{redeemable.voucher.campaign}</strong> },
    { name: words.card, cell: (held) => <Code of={held} /> },
    { name: words.tier, cell: ({ redeemable }) => <Tier card={redeemable.voucher.code} /> },
    { name: words.balance, align: "right", cell: (held) => <Points of={held} /> },
  ];
  return (
    <Card title={words.cards} flush>
      <Table label={words.cards} rows={held} keyOf={({ id }) => id} columns={columns} />
    </Card>
  );
}

function Tier({ card }: { card: string }) {
  const { data } = useQuery(tiersOfQuery(useProject(), card));
  if (!data) return null;
  return <>{data.map(({ name }) => name).join(", ") || words.no_tier}</>;
}

function Points({ of: { redeemable } }: { of: Held }) {
  const { count, dates } = useProject();
  const card = redeemable.voucher.loyalty_card;
  if (!card) return null;
  const { balance, pending_points, next_expiration_date, next_expiration_points } = card;
  const notes = [
    pending_points > 0 ? words.pending(count(pending_points)) : "",
    next_expiration_date && next_expiration_points > 0
      ? words.expires(count(next_expiration_points), dates.day(`${next_expiration_date}T12:00:00Z`))
      : "",
  ].filter((one) => one !== "");
  return (
    <>
      <strong>{count(balance)}</strong>
      {notes.map((note) => (
        <small key={note}>{note}</small>
      ))}
    </>
  );
}
