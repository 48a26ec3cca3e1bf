import type { ReactNode } from "react";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { PageHead } from "../../ui/page.js";
import { LinkTabs } from "../../ui/tabs.js";

const words = t.redemption_pages;

/** What was redeemed, and what is about to be. */
export function Frame({ children }: { children: ReactNode }) {
  const { id, may } = useProject();
  const here = `/p/${id}/redemptions`;
  return (
    <>
      <PageHead title={words.title} />
      <LinkTabs
        label={words.title}
        tabs={[
          { to: here, label: words.tab },
          ...(may("validations.read") ? [{ to: `${here}/validations`, label: words.validations }] : []),
          ...(may("sessions.read") ? [{ to: `${here}/sessions`, label: words.sessions }] : []),
        ]}
      />
      {children}
    </>
  );
}
