import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Answer, NotYours, reasonIn } from "../../api/answer.js";
import { type Project, useProject } from "../../api/project.js";
import { DangerDialog } from "../../parts/danger-dialog.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Card, Columns, Notice, State } from "../../ui/page.js";
import { type RowAction, RowMenu } from "../../ui/row-menu.js";
import { Status } from "../../ui/status.js";
import { type Column, Table } from "../../ui/table/table.js";
import { toast } from "../../ui/toast.js";
import { all_events } from "./events.js";
import { WebhookForm } from "./form.js";
import { Frame } from "./frame.js";
import { Secret } from "./secret.js";
import styles from "./webhooks.module.css";
import { useWebhookDeeds, type Webhook, webhooksQuery } from "./webhooks.queries.js";

const words = t.webhooks;

type Asked = { deed: "make" } | { deed: "edit" | "remove"; webhook: Webhook } | null;

/** Addresses that are told of what happens in a project. */
export function Webhooks() {
  const project = useProject();
  const may = project.may("webhooks.read");
  const webhooks = useQuery({ ...webhooksQuery(project), enabled: may });
  const [asked, setAsked] = useState<Asked>(null);
  if (!may) return <NotYours what={words.title} />;
  const add = project.may("webhooks.create") && (
    <Button kind="primary" icon="plus" onClick={() => setAsked({ deed: "make" })}>
      {words.add}
    </Button>
  );
  const list = (
    <Card flush>
      <Answer of={webhooks} what={words.title}>
        {(list) =>
          list.length === 0 ? (
            <State icon="webhook" title={words.none}>
              {words.none_lead}
            </State>
          ) : (
            <WebhookTable webhooks={list} ask={setAsked} />
          )
        }
      </Answer>
    </Card>
  );
  return (
    <>
      <Frame>{add}</Frame>
      {project.may("projects.read") ? (
        <Columns>
          {list}
          <Secret />
        </Columns>
      ) : (
        list
      )}
      {asked?.deed === "remove" && <Removal webhook={asked.webhook} onClose={() => setAsked(null)} />}
      {(asked?.deed === "make" || asked?.deed === "edit") && (
        <WebhookForm of={asked.deed === "edit" ? asked.webhook : undefined} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

function WebhookTable({ webhooks, ask }: { webhooks: readonly Webhook[]; ask: (asked: Asked) => void }) {
  const project = useProject();
  const { turn } = useWebhookDeeds();
  const actionsOf = (webhook: Webhook): RowAction[] => {
    const put = (active: boolean) =>
      turn.mutate(
        { id: webhook.id, active },
        { onSuccess: () => toast(active ? words.switched_on : words.switched_off, () => put(!active)) },
      );
    const toggle: RowAction = webhook.active
      ? { label: words.switch_off, icon: "playerPause", onClick: () => put(false) }
      : { label: words.switch_on, icon: "playerPlay", onClick: () => put(true) };
    return [
      ...(project.may("webhooks.update")
        ? [{ label: words.edit, icon: "pencil" as const, onClick: () => ask({ deed: "edit", webhook }) }, toggle]
        : []),
      ...(project.may("webhooks.delete")
        ? [
            {
              label: words.remove,
              icon: "trash" as const,
              danger: true,
              onClick: () => ask({ deed: "remove", webhook }),
            },
          ]
        : []),
    ];
  };
  return (
    <>
      {turn.error && <Notice>{reasonIn(turn.error)}</Notice>}
      <Table
        label={words.title}
        rows={webhooks}
        keyOf={({ id }) => id}
        columns={[
          ...columnsOf(project),
          {
            name: words.actions,
            hidden_name: true,
            align: "right",
            cell: (one) => <RowMenu label={words.actions_of(one.target_url)} actions={actionsOf(one)} />,
          },
        ]}
      />
    </>
  );
}

const columnsOf = ({ id: project_id, dates, may, count }: Project): Column<Webhook>[] => [
  {
    name: words.address,
    cell: ({ target_url }) => <span className={styles.address}>{target_url}</span>,
  },
  {
    name: words.events,
    cell: ({ events }) =>
      events.length === all_events.length ? (
        words.every(count(events.length))
      ) : (
        <>
          {words.some(count(events.length))}
          <small className={styles.events}>{events.join(", ")}</small>
        </>
      ),
  },
  { name: words.status, cell: ({ active }) => <OnOff active={active} /> },
  { name: words.created, cell: ({ created_at }) => dates.day(created_at) },
  {
    name: words.see_sent,
    hidden_name: true,
    cell: ({ id }) =>
      may("send-outs.read") && (
        <Link to={`/p/${project_id}/webhooks/send-outs`} search={{ webhook: id } as never} className={styles.sent}>
          {words.see_sent}
        </Link>
      ),
  },
];

const OnOff = ({ active }: { active: boolean }) => (
  <Status tone={active ? "ok" : "mute"} icon={active ? "circleCheck" : "ban"}>
    {active ? words.on : words.off}
  </Status>
);

function Removal({ webhook: { id, target_url }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { remove } = useWebhookDeeds();
  return (
    <DangerDialog
      deed={remove}
      title={words.remove_title}
      submit={words.remove_submit}
      onSubmit={() => remove.mutate(id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className={styles.address}>{words.remove_lead(target_url)}</p>
    </DangerDialog>
  );
}
