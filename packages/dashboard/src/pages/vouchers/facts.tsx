import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { pathOf } from "../../api/files.js";
import type { Voucher } from "../../api/incentive.js";
import { incentiveWords } from "../../api/incentive.js";
import { customerQuery, nameOf } from "../../api/people.js";
import { useProject } from "../../api/project.js";
import { Metadata } from "../../parts/metadata.js";
import { Uses } from "../../parts/uses.js";
import { t } from "../../text/index.js";
import { Card, Facts, Stack } from "../../ui/page.js";
import styles from "./vouchers.module.css";

const words = t.vouchers;

/** What is true of a code, at the side. */
export function VoucherFacts({ voucher }: { voucher: Voucher }) {
  const project = useProject();
  const { dates } = project;
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
            [words.holder, voucher.holder_id && <Holder key="holder" id={voucher.holder_id} />],
            [words.created, dates.minute(voucher.created_at)],
            [words.id, <code key="id">{voucher.id}</code>],
          ]}
        />
      </Card>
      <Metadata of={voucher.metadata} />
    </Stack>
  );
}

/** Whom it was given to; the name comes a moment later. */
function Holder({ id }: { id: string }) {
  const project = useProject();
  const { data } = useQuery({ ...customerQuery(project, id), enabled: project.may("customers.read") });
  return <Link to={`/p/${project.id}/customers/${id}`}>{data ? nameOf(data) : id}</Link>;
}
