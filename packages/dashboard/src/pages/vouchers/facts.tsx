import { useQuery } from "@tanstack/react-query";
import type { Voucher } from "../../api/incentive.js";
import { incentiveWords } from "../../api/incentive.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Card, Facts, Stack } from "../../ui/page.js";
import { Uses } from "./uses.js";
import styles from "./vouchers.module.css";
import { holderQuery } from "./vouchers.queries.js";

const words = t.vouchers;

/** What is true of a code, at the side. */
export function VoucherFacts({ voucher }: { voucher: Voucher }) {
  const project = useProject();
  const { dates } = project;
  const holder = useQuery(holderQuery(project, voucher.holder_id));
  const metadata = Object.entries(voucher.metadata ?? {});
  return (
    <Stack>
      <Card>
        <div className={styles.now}>
          <img src={pathOf(voucher.assets.qr.url)} alt={words.qr(voucher.code)} />
          <div>
            <span>{voucher.gift ? words.left : words.used}</span>
            <Uses of={voucher} />
          </div>
        </div>
      </Card>
      <Card title={words.details}>
        <Facts
          of={[
            [words.gives, incentiveWords(voucher, project)],
            [words.campaign, voucher.campaign],
            [words.category, voucher.categories.map(({ name }) => name).join(", ")],
            [words.runs, dates.range(voucher.start_date, voucher.expiration_date) || words.always],
            [words.holder, holder.data ? nameOf(holder.data) : voucher.holder_id],
            [words.created, dates.minute(voucher.created_at)],
            [words.id, <code key="id">{voucher.id}</code>],
          ]}
        />
      </Card>
      {metadata.length > 0 && (
        <Card title={words.metadata}>
          <Facts of={metadata.map(([name, value]) => [name, shown(value)] as const)} />
        </Card>
      )}
    </Stack>
  );
}

/** The image comes from here, whatever address the service believes to have. */
const pathOf = (url: string) => {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
};

const shown = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

const nameOf = (customer: unknown) => {
  const { name, source_id, email } = customer as Record<"name" | "source_id" | "email", string | null | undefined>;
  return name ?? source_id ?? email ?? "";
};
