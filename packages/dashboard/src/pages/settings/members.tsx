import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Answer, NotYours, reasonIn } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Code } from "../../ui/code.js";
import { Dialog, DialogBody, FormDialog } from "../../ui/dialog.js";
import { Card, Notice, State } from "../../ui/page.js";
import { type RowAction, RowMenu } from "../../ui/row-menu.js";
import { Status } from "../../ui/status.js";
import { Table } from "../../ui/table/table.js";
import { type Member, membersQuery, useMemberDeeds } from "./members.queries.js";
import { NewMember } from "./new-member.js";
import { roles } from "./roles.js";

/** Who works in a project. */
export function Members() {
  const project = useProject();
  const members = useQuery({ ...membersQuery(project), enabled: project.may("members.read") });
  const [adding, setAdding] = useState(false);
  if (!project.may("members.read")) return <NotYours what={t.members.title} />;
  const add = project.may("members.create") && (
    <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
      {t.members.add}
    </Button>
  );
  return (
    <Card title={t.members.title} note={t.members.lead} action={add} flush>
      <Answer of={members} what={t.members.title}>
        {({ members: list }) =>
          list.length === 0 ? (
            <State icon="users" title={t.members.none}>
              {add}
            </State>
          ) : (
            <MemberTable members={list} />
          )
        }
      </Answer>
      {adding && <NewMember onClose={() => setAdding(false)} />}
    </Card>
  );
}

type Asked = { deed: "remove" | "link"; member: Member } | null;
const nameOf = ({ first_name, last_name, email }: Member) => `${first_name} ${last_name}`.trim() || email;

function MemberTable({ members }: { members: readonly Member[] }) {
  const { may, me } = useProject();
  const { change } = useMemberDeeds();
  const [asked, setAsked] = useState<Asked>(null);
  const actionsOf = (member: Member): RowAction[] => [
    ...(may("members.update")
      ? roles
          .filter((role) => role !== member.role)
          .map((role) => ({
            label: t.members.change_role(t.members.roles[role]),
            icon: "user" as const,
            onClick: () => change.mutate({ id: member.id, role }),
          }))
      : []),
    ...(me.is_owner
      ? [{ label: t.members.link, icon: "key" as const, onClick: () => setAsked({ deed: "link", member }) }]
      : []),
    ...(may("members.delete")
      ? [
          {
            label: t.members.remove,
            icon: "trash" as const,
            danger: true,
            onClick: () => setAsked({ deed: "remove", member }),
          },
        ]
      : []),
  ];
  return (
    <>
      {change.error && <Notice>{reasonIn(change.error)}</Notice>}
      <Table
        label={t.members.title}
        rows={members}
        keyOf={({ id }) => id}
        columns={[
          {
            name: t.members.name,
            cell: (member) => (
              <>
                {nameOf(member)}
                <small>{member.email}</small>
              </>
            ),
          },
          {
            name: t.members.role,
            cell: ({ role, is_owner }) => `${t.members.roles[role]}${is_owner ? ` · ${t.members.owner}` : ""}`,
          },
          {
            name: t.members.status,
            cell: ({ can_sign_in }) =>
              can_sign_in ? (
                <Status tone="ok" icon="circleCheck">
                  {t.members.can}
                </Status>
              ) : (
                <Status tone="mute" icon="clock">
                  {t.members.cannot}
                </Status>
              ),
          },
          {
            name: t.members.actions,
            hidden_name: true,
            align: "right",
            cell: (member) => <RowMenu label={t.members.actions_of(nameOf(member))} actions={actionsOf(member)} />,
          },
        ]}
      />
      {asked?.deed === "remove" && <Removal member={asked.member} onClose={() => setAsked(null)} />}
      {asked?.deed === "link" && <NewLink member={asked.member} onClose={() => setAsked(null)} />}
    </>
  );
}

function Removal({ member, onClose }: { member: Member; onClose: () => void }) {
  const { remove } = useMemberDeeds();
  return (
    <FormDialog
      title={t.members.remove_title(nameOf(member))}
      submit={t.members.remove_submit}
      danger
      busy={remove.isPending}
      error={reasonIn(remove.error)}
      onSubmit={() => remove.mutate(member.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{t.members.remove_lead}</p>
    </FormDialog>
  );
}

/** For whoever lost their password, or where no mail server is set. */
function NewLink({ member, onClose }: { member: Member; onClose: () => void }) {
  const { dates } = useProject();
  const { link } = useMemberDeeds();
  if (!link.data)
    return (
      <FormDialog
        title={t.members.link_title(nameOf(member))}
        submit={t.members.link}
        busy={link.isPending}
        error={reasonIn(link.error)}
        onSubmit={() => link.mutate(member.id)}
        onClose={onClose}
      >
        <p>{member.email}</p>
      </FormDialog>
    );
  return (
    <Dialog title={t.members.link_title(nameOf(member))} onClose={onClose}>
      <DialogBody>
        <p>{t.members.link_lead(dates.minute(link.data.expires_at))}</p>
        <Code text={link.data.url} label={t.members.link} words={t.members.copy_link} />
      </DialogBody>
    </Dialog>
  );
}
