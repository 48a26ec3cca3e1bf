import { Outlet } from "@tanstack/react-router";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { PageHead } from "../../ui/page.js";
import { LinkTabs } from "../../ui/tabs.js";

/** The frame of a project's settings. */
export function Settings() {
  const { id, fields, may } = useProject();
  const tabs = [
    { to: `/p/${id}/settings/general`, label: t.settings.general },
    ...(may("keys.read") ? [{ to: `/p/${id}/settings/keys`, label: t.settings.keys }] : []),
    ...(may("metadata-schemas.read")
      ? [{ to: `/p/${id}/settings/metadata`, label: t.metadata.title, has_pages: true }]
      : []),
    ...(may("members.read") ? [{ to: `/p/${id}/settings/members`, label: t.settings.members }] : []),
  ];
  return (
    <>
      <PageHead title={t.settings.title} lead={fields.name} />
      <LinkTabs label={t.settings.title} tabs={tabs} />
      <Outlet />
    </>
  );
}
