import { Link } from "@tanstack/react-router";
import { NotYours } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Crumbs } from "../../ui/crumbs.js";
import { Icon } from "../../ui/icon.js";
import { PageHead } from "../../ui/page.js";
import styles from "./wizard.module.css";

/** The first question of a new campaign. */
export function NewCampaign() {
  const { id, may } = useProject();
  if (!may("campaigns.create")) return <NotYours what={t.campaigns.add} />;
  const at = `/p/${id}/campaigns/new`;
  return (
    <>
      <Crumbs to={`/p/${id}/campaigns`}>{t.campaigns.title}</Crumbs>
      <PageHead title={t.campaigns.add} lead={t.wizard.choose} />
      <div className={styles.choices}>
        <Link to={`${at}/coupons`}>
          <Icon name="ticket" size={24} />
          <strong>{t.wizard.new_coupons}</strong>
          {t.wizard.new_coupons_lead}
        </Link>
        <Link to={`${at}/gift-cards`}>
          <Icon name="gift" size={24} />
          <strong>{t.wizard.new_gift_cards}</strong>
          {t.wizard.new_gift_cards_lead}
        </Link>
      </div>
    </>
  );
}
