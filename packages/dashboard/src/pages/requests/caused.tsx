import { Link } from "@tanstack/react-router";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Icon } from "../../ui/icon.js";
import styles from "./requests.module.css";
import type { Request } from "./requests.queries.js";

const words = t.requests;

/** Pages by the first word of an event, which says what it is about. */
const pages: Record<string, string> = {
  voucher: "vouchers",
  campaign: "campaigns",
  redemption: "redemptions",
  customer: "customers",
  order: "orders",
};

/** What became true through a request, an event a line. */
export function Caused({ request: { events } }: { request: Request }) {
  const { id } = useProject();
  return (
    <section className={styles.caused} aria-label={words.caused}>
      <h3>
        {words.caused} {events.length > 0 && <small>{events.length}</small>}
      </h3>
      {events.length === 0 && <p>{words.caused_nothing}</p>}
      <ul>
        {events.map((event) => {
          const page = pages[event.type.split(".")[0] ?? ""];
          return (
            <li key={event.id}>
              <Icon name="bolt" size={16} />
              <code>{event.type}</code>
              {page ? (
                <Link to={`/p/${id}/${page}/${encodeURIComponent(event.entity_id)}`}>{event.entity_id}</Link>
              ) : (
                <span title={event.entity_id}>{event.entity_id}</span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
