import { Link } from "@tanstack/react-router";
import { useProject } from "../api/project.js";
import { t } from "../text/index.js";
import { look, withIcon } from "../ui/button.js";

interface ImportLinkProps {
  /** What is imported, as the page's address names it, and what it takes to do so. */
  of: "customers" | "vouchers" | "campaign" | "products";
  needs: string;
  campaign?: string;
}

/** To the page where a file becomes more of what this page shows; nothing where that may not be done. */
export function ImportLink({ of, needs, campaign }: ImportLinkProps) {
  const { id, may } = useProject();
  if (!may(needs)) return null;
  const search = { of, ...(campaign && { campaign }) };
  return (
    <Link {...look({})} to={`/p/${id}/tasks/import`} search={search as never}>
      {withIcon("upload", t.imports.link)}
    </Link>
  );
}
