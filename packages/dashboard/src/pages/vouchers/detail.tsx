import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Answer } from "../../api/answer.js";
import { incentiveWords, stateOf, type Voucher } from "../../api/incentive.js";
import { useProject } from "../../api/project.js";
import { RedemptionTable } from "../../parts/redemptions.js";
import { Timeline } from "../../parts/timeline.js";
import { VoucherStatus } from "../../parts/voucher-status.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Copy } from "../../ui/copy.js";
import { Crumbs } from "../../ui/crumbs.js";
import { Card, Columns, PageHead, Stack } from "../../ui/page.js";
import { LinkTabs } from "../../ui/tabs.js";
import { AdjustBalance, Switch } from "./deeds.js";
import { VoucherFacts } from "./facts.js";
import { Transactions } from "./transactions.js";
import styles from "./vouchers.module.css";
import { redemptionsQuery, timelineQuery, voucherQuery } from "./vouchers.queries.js";
import { Why } from "./why.js";

const words = t.vouchers;

/** One code: whether it works, why it last did not, and what can be done about it. */
export function VoucherPage() {
  const project = useProject();
  const { code, tab } = useParams({ strict: false }) as { code: string; tab?: string };
  const voucher = useQuery(voucherQuery(project, code));
  return (
    <Answer of={voucher} what={words.one}>
      {(voucher) => (
        <>
          <Head voucher={voucher} />
          <Tabs voucher={voucher} />
          {tab === "timeline" && <WholeTimeline code={voucher.code} />}
          {tab === "redemptions" && <Redemptions code={voucher.code} />}
          {tab === "transactions" && <Transactions code={voucher.code} />}
          {tab === undefined && <Overview voucher={voucher} />}
        </>
      )}
    </Answer>
  );
}

function Head({ voucher }: { voucher: Voucher }) {
  const project = useProject();
  const [adjusting, setAdjusting] = useState(false);
  const { code, campaign } = voucher;
  return (
    <>
      <Crumbs
        to={`/p/${project.id}/vouchers`}
        within={
          campaign && (
            <Link to={`/p/${project.id}/vouchers`} search={{ campaign } as never}>
              {campaign}
            </Link>
          )
        }
      >
        {words.title}
      </Crumbs>
      <PageHead
        title={
          <span className={styles.title}>
            {code}
            <Copy text={code} label={`${t.states.copy} ${code}`} />
          </span>
        }
        lead={
          <span className={styles.title} style={{ font: "inherit" }}>
            <VoucherStatus state={stateOf(voucher)} />
            {incentiveWords(voucher, project)}
          </span>
        }
      >
        {voucher.gift && project.may("vouchers.balance.create") && (
          <Button icon="creditCard" onClick={() => setAdjusting(true)}>
            {words.credits}
          </Button>
        )}
        <Switch voucher={voucher} />
      </PageHead>
      {adjusting && <AdjustBalance code={code} onClose={() => setAdjusting(false)} />}
    </>
  );
}

function Tabs({ voucher: { code, type } }: { voucher: Voucher }) {
  const { id } = useProject();
  const here = `/p/${id}/vouchers/${encodeURIComponent(code)}`;
  return (
    <LinkTabs
      label={words.one}
      tabs={[
        { to: here, label: words.overview },
        { to: `${here}/timeline`, label: words.timeline },
        { to: `${here}/redemptions`, label: words.redemptions },
        ...(type === "DISCOUNT_VOUCHER" ? [] : [{ to: `${here}/transactions`, label: words.transactions }]),
      ]}
    />
  );
}

const Overview = ({ voucher }: { voucher: Voucher }) => (
  <Columns>
    <Stack>
      <Why code={voucher.code} />
      <Redemptions code={voucher.code} />
      <WholeTimeline code={voucher.code} />
    </Stack>
    <VoucherFacts voucher={voucher} />
  </Columns>
);

function Redemptions({ code }: { code: string }) {
  const redemptions = useQuery(redemptionsQuery(useProject(), code));
  return (
    <Card title={words.redemptions} flush>
      <Answer of={redemptions} what={words.redemptions}>
        {({ data }) => <RedemptionTable of={data} />}
      </Answer>
    </Card>
  );
}

function WholeTimeline({ code }: { code: string }) {
  const timeline = useInfiniteQuery(timelineQuery(useProject(), code));
  return (
    <Card title={words.timeline} flush>
      <Timeline of={timeline} />
    </Card>
  );
}
