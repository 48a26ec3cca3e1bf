import { DEFAULT_STACKING_RULES } from "@guerdon/engine";
import type { CatalogueParts } from "../../catalogue/index.js";
import { readMetadataSchemas } from "./metadata-schemas.store.js";
import { findProject } from "./project.store.js";
import { findStackingRules } from "./stacking-rules.store.js";

/** What decisions look at of a project. */
export const projectSettings: CatalogueParts["settings"] = {
  kind: "project",
  async read(db, project_id) {
    const project = await findProject(db, project_id);
    if (!project) return undefined;
    const { id, timezone, currency, case_sensitive_codes } = project;
    const stored = await findStackingRules(db, project_id);
    const stacking_rules = stored?.rules ?? DEFAULT_STACKING_RULES;
    const { types_text: text, typeOf } = await readMetadataSchemas(db, project_id);
    const metadata_types = { text, typeOf };
    return { id, timezone, currency, case_sensitive_codes, stacking_rules, metadata_types };
  },
};
