import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Answer, NotYours, reasonIn } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { DangerDialog } from "../../parts/danger-dialog.js";
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
import { built_in_roles, type NamedRole, nameOfRole } from "./roles.js";

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
        {({ members: list, own_roles }) =>
          list.length === 0 ? (
            <State icon="users" title={t.members.none}>
              {add}
            </State>
          ) : (
            <MemberTable members={list} roles={[...built_in_roles, ...own_roles]} />
          )
        }
      </Answer>
      {adding && members.data && (
        <NewMember roles={[...built_in_roles, ...members.data.own_roles]} onClose={() => setAdding(false)} />
      )}
    </Card>
  );
}

type Asked = { deed: "remove" | "link"; member: Member } | null;
const nameOf = ({ first_name, last_name, email }: Member) => `${first_name} ${last_name}`.trim() || email;

function MemberTable({ members, roles }: { members: readonly Member[]; roles: readonly NamedRole[] }) {
  const { change } = useMemberDeeds();
  const [asked, setAsked] = useState<Asked>(null);
  const actionsOf = useActions(roles, setAsked, change.mutate);
  const role = ({ role, role_name, is_owner }: Member) =>
    `${nameOfRole(role, role_name)}${is_owner ? ` · ${t.members.owner}` : ""}`;
  return (
    <>
      {change.error && <Notice>{reasonIn(change.error)}</Notice>}
      <Table
        label={t.members.title}
        rows={members}
        keyOf={({ id }) => id}
        columns={[
          { name: t.members.name, cell: (member) => <Named of={member} /> },
          { name: t.members.role, cell: role },
          { name: t.members.status, cell: ({ can_sign_in }) => <SignsIn can={can_sign_in} /> },
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

const Named = ({ of }: { of: Member }) => (
  <>
    {nameOf(of)}
    <small>{of.email}</small>
  </>
);

const SignsIn = ({ can }: { can: boolean }) => (
  <Status tone={can ? "ok" : "mute"} icon={can ? "circleCheck" : "clock"}>
    {can ? t.members.can : t.members.cannot}
  </Status>
);

/** What somebody of this role may do to a member; links that open an account are the owners' to make. */
function useActions(
  roles: readonly NamedRole[],
  ask: (asked: Asked) => void,
  change: (member: Pick<Member, "id" | "role">) => void,
) {
  const { may, me } = useProject();
  return (member: Member): RowAction[] => {
    const others = roles.filter(({ id }) => id !== member.role);
    const promote = ({ id: role, name }: NamedRole): RowAction => ({
      label: t.members.change_role(name),
      icon: "user",
      onClick: () => change({ id: member.id, role }),
    });
    return [
      ...(may("members.update") ? others.map(promote) : []),
      ...(me.is_owner
        ? [{ label: t.members.link, icon: "key" as const, onClick: () => ask({ deed: "link", member }) }]
        : []),
      ...(may("members.delete")
        ? [
            {
              label: t.members.remove,
              icon: "trash" as const,
              danger: true,
              onClick: () => ask({ deed: "remove", member }),
            },
          ]
        : []),
    ];
  };
}

function Removal({ member, onClose }: { member: Member; onClose: () => void }) {
  const { remove } = useMemberDeeds();
  return (
    <DangerDialog
      deed={remove}
      title={t.members.remove_title(nameOf(member))}
      submit={t.members.remove_submit}
      onSubmit={() => remove.mutate(member.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{t.members.remove_lead}</p>
    </DangerDialog>
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
