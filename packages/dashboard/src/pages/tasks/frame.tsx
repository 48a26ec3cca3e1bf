import type { ReactNode } from "react";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { PageHead } from "../../ui/page.js";
import { LinkTabs } from "../../ui/tabs.js";

/** What stands above both lists. */
export function Frame({ children }: { children?: ReactNode }) {
  const { id, may } = useProject();
  return (
    <>
      <PageHead title={t.tasks.title}>{children}</PageHead>
      <LinkTabs
        label={t.tasks.title}
        tabs={[
          { to: `/p/${id}/tasks`, label: t.tasks.tasks },
          ...(may("exports.read") ? [{ to: `/p/${id}/tasks/exports`, label: t.tasks.exports }] : []),
        ]}
      />
    </>
  );
}
