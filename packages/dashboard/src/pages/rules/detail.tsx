import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Answer } from "../../api/answer.js";
import { bodyOf } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import { DangerDialog } from "../../parts/danger-dialog.js";
import { type Rule, ruleQuery, useNameable } from "../../parts/rules/rules.queries.js";
import { SentenceLine } from "../../parts/rules/sentence-line.js";
import { t } from "../../text/index.js";
import { Button, look, withIcon } from "../../ui/button.js";
import { Crumbs } from "../../ui/crumbs.js";
import { Json } from "../../ui/json/json.js";
import { More } from "../../ui/list/more.js";
import { Card, Columns, Facts, PageHead, Stack, State } from "../../ui/page.js";
import { Clip } from "../../ui/table/clip.js";
import { type Column, Table } from "../../ui/table/table.js";
import { toast } from "../../ui/toast.js";
import { rowsOf, treeOf } from "./rule-tree.js";
import { type Use, usesQuery } from "./rules.queries.js";

const words = t.rules;

/** One rule: what it says, and what applies by it. */
export function RulePage() {
  const project = useProject();
  const { rule: id } = useParams({ strict: false }) as { rule: string };
  const rule = useQuery(ruleQuery(project, id));
  return (
    <Answer of={rule} what={words.one}>
      {(rule) => (
        <>
          <Crumbs to={`/p/${project.id}/rules`}>{words.title}</Crumbs>
          <Head rule={rule} />
          <Columns>
            <Stack>
              <Says rule={rule} />
              <UsedBy id={rule.id} />
            </Stack>
            <Details rule={rule} />
          </Columns>
        </>
      )}
    </Answer>
  );
}

function Head({ rule: { id, name } }: { rule: Rule }) {
  const { id: project_id, may } = useProject();
  const [removing, setRemoving] = useState(false);
  return (
    <PageHead title={<bdi>{name}</bdi>}>
      {may("validation-rules.update") && (
        <Link {...look({})} to={`/p/${project_id}/rules/${id}/edit`}>
          {withIcon("pencil", words.edit)}
        </Link>
      )}
      {may("validation-rules.delete") && (
        <Button icon="trash" onClick={() => setRemoving(true)}>
          {words.remove}
        </Button>
      )}
      {removing && <Removal id={id} name={name} onClose={() => setRemoving(false)} />}
    </PageHead>
  );
}

/** The sentence; below it what the sentence does not say, and the rule itself where no rows would say it. */
function Says({ rule: { rules, applicable_to, bundle_rules } }: { rule: Rule }) {
  const project = useProject();
  const { names } = useNameable();
  const tree = treeOf(rules, project);
  const messages = (tree ? rowsOf(tree) : []).flatMap(({ message }, i) =>
    message === "" ? [] : [[t.conditions.row(i + 1), <bdi key={message}>{message}</bdi>] as const],
  );
  const { included, excluded } = applicable_to;
  return (
    <Card title={words.says}>
      <Stack>
        <SentenceLine of={rules} names={names} />
        {messages.length > 0 && (
          <div>
            <h3>{words.messages}</h3>
            <Facts of={messages} />
          </div>
        )}
        {!tree && <Json text={JSON.stringify(rules)} label={words.json} />}
        {(included.length > 0 || excluded.length > 0) && (
          <div>
            <h3>{words.applicable_to}</h3>
            <Json text={JSON.stringify(applicable_to)} label={words.applicable_to} />
          </div>
        )}
        {Object.keys(bundle_rules).length > 0 && (
          <div>
            <h3>{words.bundle}</h3>
            <Json text={JSON.stringify(bundle_rules)} label={words.bundle} />
          </div>
        )}
      </Stack>
    </Card>
  );
}

function UsedBy({ id }: { id: string }) {
  const project = useProject();
  const uses = useInfiniteQuery(usesQuery(project, id));
  const columns: Column<Use>[] = [
    {
      name: words.name,
      cell: ({ name, path }) =>
        path ? (
          <Link to={`/p/${project.id}/${path}`}>
            <Clip strong>{name}</Clip>
          </Link>
        ) : (
          <Clip code>{name}</Clip>
        ),
    },
    { name: words.kind, cell: ({ type }) => words.related[type] ?? type },
  ];
  return (
    <Card title={words.used_by} flush>
      <Answer of={uses} what={words.used_by}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) return <State icon="listCheck" title={words.used_by_nothing} />;
          return (
            <>
              <Table label={words.used_by} rows={rows} keyOf={({ id }) => id} columns={columns} />
              <More of={uses} />
            </>
          );
        }}
      </Answer>
    </Card>
  );
}

function Details({ rule: { id, error, assignments_count, created_at, updated_at } }: { rule: Rule }) {
  const { dates, count } = useProject();
  const message = typeof error?.message === "string" ? <bdi>{error.message}</bdi> : undefined;
  return (
    <Card title={words.details}>
      <Facts
        of={[
          [words.message, message],
          [words.uses, assignments_count ? words.uses_of(count(assignments_count)) : words.unused],
          [words.created, dates.minute(created_at)],
          [words.changed, updated_at ? dates.minute(updated_at) : undefined],
          [words.id, <code key="id">{id}</code>],
        ]}
      />
    </Card>
  );
}

function Removal({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { api, id: project_id } = useProject();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () =>
      bodyOf(api.DELETE("/v1/validation-rules/{validationRuleId}", { params: { path: { validationRuleId: id } } })),
    onSuccess: async () => {
      toast(words.removed(name));
      await navigate({ to: `/p/${project_id}/rules` });
      queries.removeQueries({ queryKey: ["rules", "one", id] });
      await queries.invalidateQueries({ queryKey: ["rules"] });
    },
  });
  return (
    <DangerDialog
      deed={remove}
      title={words.remove_title(name)}
      submit={words.remove_submit}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{words.remove_lead}</p>
    </DangerDialog>
  );
}
