import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Answer } from "../../api/answer.js";
import { bodyOf } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import { CustomerTable } from "../../parts/customers.js";
import { DangerDialog } from "../../parts/danger-dialog.js";
import { t } from "../../text/index.js";
import { Button, look, withIcon } from "../../ui/button.js";
import { Crumbs } from "../../ui/crumbs.js";
import { More } from "../../ui/list/more.js";
import { Card, Columns, Facts, PageHead, Stack, State } from "../../ui/page.js";
import { toast } from "../../ui/toast.js";
import { Conditions } from "./conditions.js";
import type { Filter } from "./filter-form.js";
import { membersQuery, type Segment, segmentQuery } from "./segments.queries.js";

const words = t.segments;

/** One segment: who is in it, and why. */
export function SegmentPage() {
  const project = useProject();
  const { segment: id } = useParams({ strict: false }) as { segment: string };
  const segment = useQuery(segmentQuery(project, id));
  return (
    <Answer of={segment} what={words.one}>
      {(segment) => (
        <>
          <Crumbs to={`/p/${project.id}/segments`}>{words.title}</Crumbs>
          <Head segment={segment} />
          <Columns>
            <Stack>
              {segment.filter && (
                <Card title={words.conditions}>
                  <Conditions of={segment.filter as Filter} />
                </Card>
              )}
              {project.may("customers.read") && <Members id={segment.id} />}
            </Stack>
            <Details segment={segment} />
          </Columns>
        </>
      )}
    </Answer>
  );
}

function Head({ segment: { id, name, type } }: { segment: Segment }) {
  const { id: project_id, may } = useProject();
  const [removing, setRemoving] = useState(false);
  return (
    <PageHead title={<bdi>{name}</bdi>} lead={words.types[type]}>
      {may("segments.update") && (
        <Link {...look({})} to={`/p/${project_id}/segments/${id}/edit`}>
          {withIcon("pencil", words.edit)}
        </Link>
      )}
      {may("segments.delete") && (
        <Button icon="trash" onClick={() => setRemoving(true)}>
          {words.remove}
        </Button>
      )}
      {removing && <Removal id={id} name={name} onClose={() => setRemoving(false)} />}
    </PageHead>
  );
}

function Members({ id }: { id: string }) {
  const { count } = useProject();
  const members = useInfiniteQuery(membersQuery(useProject(), id));
  const [first] = members.data?.pages ?? [];
  return (
    <Card title={words.members} note={first && t.list.found(count(first.total), first.total_estimated === true)} flush>
      <Answer of={members} what={words.members}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) return <State icon="usersGroup" title={words.no_members} />;
          return (
            <>
              <CustomerTable of={rows} />
              <More of={members} />
            </>
          );
        }}
      </Answer>
    </Card>
  );
}

function Details({ segment: { id, type, created_at, updated_at } }: { segment: Segment }) {
  const { id: project_id, dates, may } = useProject();
  return (
    <Card title={words.details}>
      <Stack>
        <Facts
          of={[
            [words.type, words.types_short[type]],
            [words.created, dates.minute(created_at)],
            [words.updated, updated_at ? dates.minute(updated_at) : undefined],
            [words.id, <code key="id">{id}</code>],
          ]}
        />
        {may("customers.read") && (
          <Link to={`/p/${project_id}/customers`} search={{ segment: id } as never}>
            {words.as_list}
          </Link>
        )}
      </Stack>
    </Card>
  );
}

function Removal({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { api, id: project_id } = useProject();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => bodyOf(api.DELETE("/v1/segments/{segmentId}", { params: { path: { segmentId: id } } })),
    onSuccess: async () => {
      toast(words.removed(name));
      await navigate({ to: `/p/${project_id}/segments` });
      queries.removeQueries({ queryKey: ["segments", "one", id] });
      await queries.invalidateQueries({ queryKey: ["segments"] });
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
