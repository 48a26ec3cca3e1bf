import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { reasonIn } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { type Draft, draftsQuery, removeDraft } from "../../parts/drafts.js";
import { t } from "../../text/index.js";
import { Button, IconButton } from "../../ui/button.js";
import { Card, Notice } from "../../ui/page.js";
import { Clip } from "../../ui/table/clip.js";
import { Table } from "../../ui/table/table.js";
import styles from "./wizard.module.css";
import { draft_pages } from "./wizard-form.js";

const words = t.wizard;
const shown_first = 3;

/** Campaigns that somebody has not finished: only they see them, and only where there are some. */
export function Drafts() {
  const project = useProject();
  const { data } = useQuery({ ...draftsQuery(project), enabled: project.may("campaigns.create") });
  const [all, setAll] = useState(false);
  const remove = useRemove();
  const drafts = data?.data.filter(({ page }) => page in draft_pages) ?? [];
  if (drafts.length === 0) return null;
  return (
    <div className={styles.drafts}>
      <Card
        title={words.drafts}
        note={words.drafts_note}
        flush
        action={
          !all &&
          drafts.length > shown_first && (
            <Button kind="link" onClick={() => setAll(true)}>
              {words.all_drafts(String(drafts.length))}
            </Button>
          )
        }
      >
        {remove.error && <Notice>{reasonIn(remove.error)}</Notice>}
        <Table
          label={words.drafts}
          rows={all ? drafts : drafts.slice(0, shown_first)}
          keyOf={({ id }) => id}
          columns={[
            {
              name: t.campaigns.name,
              cell: ({ id, page, name }) => (
                <Link to={`/p/${project.id}/${page}`} search={{ draft: id } as never}>
                  <Clip strong>{name}</Clip>
                </Link>
              ),
            },
            { name: t.campaigns.type, cell: ({ page }) => draft_pages[page] },
            { name: words.draft_changed, cell: ({ updated_at }) => project.dates.moment(updated_at) },
            {
              name: words.remove_draft,
              hidden_name: true,
              align: "right",
              cell: (draft) => (
                <IconButton
                  icon="trash"
                  size="small"
                  label={words.remove_draft_of(draft.name)}
                  onClick={() => remove.mutate(draft)}
                />
              ),
            },
          ]}
        />
      </Card>
    </div>
  );
}

function useRemove() {
  const project = useProject();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Draft) => removeDraft(project, id),
    onSettled: () => queries.invalidateQueries({ queryKey: ["drafts", "list"] }),
  });
}
