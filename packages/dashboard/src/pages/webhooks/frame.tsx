import type { ReactNode } from "react";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { PageHead } from "../../ui/page.js";
import { LinkTabs } from "../../ui/tabs.js";

const words = t.webhooks;

/** What stands above both: who is told, and what they were told. */
export function Frame({ children }: { children?: ReactNode }) {
  const { id, may } = useProject();
  return (
    <>
      <PageHead title={words.title}>{children}</PageHead>
      <LinkTabs
        label={words.title}
        tabs={[
          { to: `/p/${id}/webhooks`, label: words.addresses },
          ...(may("send-outs.read") ? [{ to: `/p/${id}/webhooks/send-outs`, label: words.send_outs }] : []),
        ]}
      />
    </>
  );
}
