import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Card, Facts } from "../../ui/page.js";

export function General() {
  const { fields } = useProject();
  return (
    <Card title={t.settings.project}>
      <Facts
        of={[
          [t.settings.name, fields.name],
          [t.settings.id, <code key="id">{fields.id}</code>],
          [t.settings.currency, fields.currency],
          [t.settings.zone, fields.timezone],
          [t.settings.kind, fields.is_sandbox ? t.frame.sandbox : t.settings.live],
          [t.settings.your_role, fields.role],
        ]}
      />
    </Card>
  );
}
