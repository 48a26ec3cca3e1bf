import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Answer, NotYours, reasonIn } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { FormDialog } from "../../ui/dialog.js";
import { Card, Columns, Notice, Stack, State } from "../../ui/page.js";
import { type RowAction, RowMenu } from "../../ui/row-menu.js";
import { Status } from "../../ui/status.js";
import { Table } from "../../ui/table/table.js";
import { FirstCall, Secret } from "./first-call.js";
import { type Key, keysQuery, type Made, useKeyDeeds } from "./keys.queries.js";
import { NewKey } from "./new-key.js";

/** The keys of a project, and the first call that one of them makes. */
export function Keys() {
  const project = useProject();
  const keys = useQuery({ ...keysQuery(project), enabled: project.may("keys.read") });
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  if (!project.may("keys.read")) return <NotYours what={t.keys.title} />;
  const add = project.may("keys.create") && (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {t.keys.add}
    </Button>
  );
  return (
    <Columns>
      <Stack>
        {made && <Secret made={made} />}
        <Card title={t.keys.title} note={t.keys.lead} action={add} flush>
          <Answer of={keys} what={t.keys.title}>
            {(list) =>
              list.length === 0 ? (
                <State icon="key" title={t.keys.none}>
                  {add}
                </State>
              ) : (
                <KeyTable keys={list} onMade={setMade} />
              )
            }
          </Answer>
        </Card>
      </Stack>
      <FirstCall made={made} keys={keys.data ?? []} />
      {adding && (
        <NewKey
          onClose={() => setAdding(false)}
          onMade={(key) => {
            setAdding(false);
            setMade(key);
          }}
        />
      )}
    </Columns>
  );
}

type Asked = { deed: "renew" | "remove"; key: Key } | null;

function KeyTable({ keys, onMade }: { keys: readonly Key[]; onMade: (made: Made) => void }) {
  const { dates } = useProject();
  const { change } = useKeyDeeds();
  const [asked, setAsked] = useState<Asked>(null);
  const actionsOf = useActions(setAsked, change.mutate);
  return (
    <>
      {change.error && <Notice>{reasonIn(change.error)}</Notice>}
      <Table
        label={t.keys.title}
        rows={keys}
        keyOf={({ id }) => id}
        columns={[
          { name: t.keys.name, cell: (key) => <Named of={key} /> },
          { name: t.keys.kind, cell: ({ kind }) => t.keys.kinds[kind] },
          { name: t.keys.role, cell: ({ role, kind }) => (kind === "server" ? role : t.keys.no_role) },
          { name: t.keys.status, cell: ({ blocked }) => <Opens blocked={blocked} /> },
          { name: t.keys.created, cell: ({ created_at }) => dates.day(created_at) },
          {
            name: t.keys.actions,
            hidden_name: true,
            align: "right",
            cell: (key) => <RowMenu label={t.keys.actions_of(key.name)} actions={actionsOf(key)} />,
          },
        ]}
      />
      {asked && <Sure asked={asked} onClose={() => setAsked(null)} onMade={onMade} />}
    </>
  );
}

const Named = ({ of: { name, id } }: { of: Key }) => (
  <>
    {name}
    <small>
      <code>{id}</code>
    </small>
  </>
);

const Opens = ({ blocked }: { blocked: boolean }) =>
  blocked ? (
    <Status tone="bad" icon="ban">
      {t.keys.blocked}
    </Status>
  ) : (
    <Status tone="ok" icon="circleCheck">
      {t.keys.open}
    </Status>
  );

/** What somebody of this role may do to a key. */
function useActions(ask: (asked: Asked) => void, change: (key: { id: string; blocked: boolean }) => void) {
  const { may } = useProject();
  const { block, unblock, renew, remove } = t.keys;
  return (key: Key): RowAction[] => {
    const { id, blocked } = key;
    const toggle: RowAction = {
      label: blocked ? unblock : block,
      icon: blocked ? "playerPlay" : "ban",
      onClick: () => change({ id, blocked: !blocked }),
    };
    return [
      ...(may("keys.update") ? [toggle] : []),
      ...(may("keys.token.create")
        ? [{ label: renew, icon: "refresh" as const, onClick: () => ask({ deed: "renew", key }) }]
        : []),
      ...(may("keys.delete")
        ? [{ label: remove, icon: "trash" as const, danger: true, onClick: () => ask({ deed: "remove", key }) }]
        : []),
    ];
  };
}

interface SureProps {
  asked: NonNullable<Asked>;
  onClose: () => void;
  onMade: (made: Made) => void;
}

/** Whoever calls with the key hears no from then on. */
function Sure({ asked: { deed, key }, onClose, onMade }: SureProps) {
  const { renew, remove } = useKeyDeeds();
  const { title, lead, submit } = t.keys.sure[deed];
  const act = () => {
    if (deed === "remove") return remove.mutate(key.id, { onSuccess: onClose });
    return renew.mutate(key.id, {
      onSuccess: (made) => {
        onMade(made);
        onClose();
      },
    });
  };
  return (
    <FormDialog
      title={title(key.name)}
      submit={submit}
      danger
      busy={renew.isPending || remove.isPending}
      error={reasonIn(renew.error ?? remove.error)}
      onSubmit={act}
      onClose={onClose}
    >
      <p>{lead}</p>
    </FormDialog>
  );
}
