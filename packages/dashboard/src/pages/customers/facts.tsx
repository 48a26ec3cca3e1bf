import { useQuery } from "@tanstack/react-query";
import { Answer } from "../../api/answer.js";
import type { Customer } from "../../api/people.js";
import { useProject } from "../../api/project.js";
import { Metadata } from "../../parts/metadata.js";
import { t } from "../../text/index.js";
import { Card, Facts, Stack } from "../../ui/page.js";
import styles from "./customers.module.css";
import { segmentsOfQuery } from "./customers.queries.js";

const words = t.customers;

/** What is true of a customer, at the side. */
export function CustomerFacts({ customer }: { customer: Customer }) {
  const { dates, may } = useProject();
  const { source_id, email, phone, birthdate, birthday, description } = customer;
  return (
    <Stack>
      <Card title={words.details}>
        <Facts
          of={[
            [words.email, email],
            [words.phone, phone],
            [words.address, addressOf(customer)],
            [words.birthday, birthdate ?? birthday],
            [words.description, description],
            [words.created, dates.minute(customer.created_at)],
            [words.updated, customer.updated_at ? dates.minute(customer.updated_at) : undefined],
            [words.source_id, source_id && <code key="source">{source_id}</code>],
            [words.id, <code key="id">{customer.id}</code>],
          ]}
        />
      </Card>
      {may("customers.segments.read") && <Segments id={customer.id} />}
      <Metadata of={customer.metadata} />
    </Stack>
  );
}

function addressOf({ address }: Customer): string {
  const { line_1, line_2, postal_code, city, state, country } = address ?? {};
  const town = [postal_code, city].filter(Boolean).join(" ");
  return [line_1, line_2, town, state, country].filter(Boolean).join(", ");
}

function Segments({ id }: { id: string }) {
  const segments = useQuery(segmentsOfQuery(useProject(), id));
  return (
    <Card title={words.segments}>
      <Answer of={segments} what={words.segments}>
        {(list) =>
          list.length === 0 ? (
            <p className={styles.none}>{words.no_segments}</p>
          ) : (
            <ul className={styles.segments}>
              {list.map(({ id, name }) => (
                <li key={id}>{name}</li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  );
}
