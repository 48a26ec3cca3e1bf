import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Answer, reasonIn } from "../../api/answer.js";
import { bodyOf, type Schemas } from "../../api/client.js";
import { pathOf } from "../../api/files.js";
import { type Project, useProject } from "../../api/project.js";
import { DangerDialog } from "../../parts/danger-dialog.js";
import { t } from "../../text/index.js";
import { Button, look, withIcon } from "../../ui/button.js";
import { FormDialog } from "../../ui/dialog.js";
import { SelectField } from "../../ui/field.js";
import type { IconName } from "../../ui/icon.js";
import { Pages } from "../../ui/list/pages.js";
import { Card, State } from "../../ui/page.js";
import { RowMenu } from "../../ui/row-menu.js";
import { Status, type Tone } from "../../ui/status.js";
import { type Column, Table } from "../../ui/table/table.js";
import { toast } from "../../ui/toast.js";
import { Frame } from "./frame.js";
import { type Export, exportsQuery, pages_max } from "./tasks.queries.js";

const words = t.exports;

/** Files that were asked for, and the way to a new one. */
export function Exports() {
  const project = useProject();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { page?: string };
  const page = Number(search.page ?? 1) || 1;
  const exports = useQuery(exportsQuery(project, page));
  const [adding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<string | null>(null);
  const go = (page: number) => void navigate({ to: ".", search: (page > 1 ? { page } : {}) as never });
  const add = project.may("exports.create") && (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <>
      <Frame>{add}</Frame>
      <Card flush>
        <Answer of={exports} what={words.title}>
          {({ exports: rows, total, has_more }) =>
            rows.length === 0 ? (
              <State icon="download" title={words.none}>
                {words.none_lead}
              </State>
            ) : (
              <>
                <Table
                  label={words.title}
                  rows={rows}
                  keyOf={({ id }) => id}
                  columns={columnsOf(project, setRemoved)}
                />
                <Pages
                  found={words.found(project.count(total))}
                  onFirst={page > 1 ? () => go(1) : undefined}
                  onNext={(has_more ?? total > page * 50) && page < pages_max ? () => go(page + 1) : undefined}
                />
              </>
            )
          }
        </Answer>
      </Card>
      {adding && <NewExport onClose={() => setAdding(false)} />}
      {removed && <Remove id={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

const objectsOf = ({ exported_object }: Export) => words.objects[exported_object] ?? exported_object;

const columnsOf = ({ dates, may }: Project, onRemove: (id: string) => void): Column<Export>[] => [
  {
    name: words.object,
    cell: (one) => (
      <>
        <strong>{objectsOf(one)}</strong>
        {one.parameters.filters ? <small>{words.narrowed}</small> : null}
      </>
    ),
  },
  { name: words.status, cell: (one) => <Outcome of={one} /> },
  { name: words.created, cell: ({ created_at }) => dates.moment(created_at) },
  { name: words.from, cell: ({ channel }) => t.timeline.by[channel] ?? channel },
  {
    name: words.download,
    hidden_name: true,
    align: "right",
    cell: (one) =>
      one.result?.url && (
        <a
          {...look({ size: "small" })}
          href={pathOf(one.result.url)}
          download
          aria-label={words.download_of(objectsOf(one))}
        >
          {withIcon("download", words.download, 16)}
        </a>
      ),
  },
  {
    name: words.actions,
    hidden_name: true,
    align: "right",
    cell: (one) => (
      <RowMenu
        label={words.actions_of(objectsOf(one))}
        actions={
          may("exports.delete")
            ? [{ label: words.remove, icon: "trash", danger: true, onClick: () => onRemove(one.id) }]
            : []
        }
      />
    ),
  },
];

const looks: Record<Export["status"], readonly [Tone, IconName]> = {
  SCHEDULED: ["mute", "clock"],
  IN_PROGRESS: ["info", "loader2"],
  DONE: ["ok", "circleCheck"],
  ERROR: ["bad", "circleX"],
};

function Outcome({ of: { status, error } }: { of: Export }) {
  const [tone, icon] = looks[status];
  return (
    <>
      <Status tone={tone} icon={icon}>
        {words.statuses[status]}
      </Status>
      {error && <small>{error.message}</small>}
    </>
  );
}

type Exported = Schemas["ExportCreate"]["exported_object"];
const exported: readonly Exported[] = [
  "voucher",
  "customer",
  "order",
  "redemption",
  "publication",
  "product",
  "sku",
  "voucher_transactions",
  "api_log",
];

function NewExport({ onClose }: { onClose: () => void }) {
  const { api } = useProject();
  const queries = useQueryClient();
  const [object, setObject] = useState<Exported>("voucher");
  const create = useMutation({
    mutationFn: () => bodyOf(api.POST("/v1/exports", { body: { exported_object: object } })),
    onSuccess: async () => {
      toast(words.started);
      onClose();
      await queries.invalidateQueries({ queryKey: ["exports"] });
    },
  });
  return (
    <FormDialog
      title={words.add}
      submit={words.create}
      busy={create.isPending}
      error={reasonIn(create.error)}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <SelectField
        label={words.object}
        hint={words.lead}
        value={object}
        options={exported.map((value) => ({ value, label: words.objects[value] ?? value }))}
        onChange={setObject}
      />
    </FormDialog>
  );
}

function Remove({ id, onClose }: { id: string; onClose: () => void }) {
  const { api } = useProject();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => bodyOf(api.DELETE("/v1/exports/{exportId}", { params: { path: { exportId: id } } })),
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries({ queryKey: ["exports"] });
    },
  });
  return (
    <DangerDialog
      deed={remove}
      title={words.remove_title}
      submit={words.remove_submit}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{words.remove_lead}</p>
    </DangerDialog>
  );
}
