import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { reasonIn } from "../../api/answer.js";
import { bodyOf, type Schemas } from "../../api/client.js";
import { type Project, useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { FormDialog } from "../../ui/dialog.js";
import { TextField } from "../../ui/field.js";
import { Notice } from "../../ui/page.js";
import { RowMenu } from "../../ui/row-menu.js";
import tabs from "../../ui/tabs.module.css";
import { toast } from "../../ui/toast.js";
import { type ListSearch, withoutGaps } from "./list.js";
import styles from "./lists.module.css";

const words = t.views;
type Kept = Schemas["KeptList"]["data"][number];

/** A list as somebody wants to find it again: by its address, which says filters, order and columns. */
interface View {
  id: string;
  name: string;
  search: Readonly<Record<string, string>>;
}

/** One's own of a list, in the order in which they were made. */
const viewsQuery = ({ api }: Pick<Project, "api">, page: string) =>
  queryOptions({
    queryKey: ["views", page],
    staleTime: 60_000,
    queryFn: async () =>
      (await bodyOf(api.GET("/dashboard/v1/views", { params: { query: { page } } }))).data.map(viewOf),
    select: (views) => [...views].sort((a, b) => (a.created_at < b.created_at ? -1 : 1)),
  });

const viewOf = ({ id, name, created_at, content }: Kept) => {
  const { search } = (content ?? {}) as { search?: Record<string, unknown> };
  const texts = Object.entries(search ?? {}).filter((pair): pair is [string, string] => typeof pair[1] === "string");
  return { id, name, created_at, search: Object.fromEntries(texts) };
};

/** The views of a list, which of them is shown, and whether it was changed since it was saved. */
export function useViews(page: string, { after: _after, view: id, ...shown }: ListSearch) {
  const project = useProject();
  const may_see = project.may("views.read");
  const { data: views = [] } = useQuery({ ...viewsQuery(project, page), enabled: may_see });
  const now = withoutGaps(shown);
  const current = views.find((view) => view.id === id);
  return {
    page,
    views,
    current,
    now,
    is_changed: project.may("views.create") && !isSame(now, current?.search ?? {}),
  };
}
type Views = ReturnType<typeof useViews>;

const isSame = (one: View["search"], other: View["search"]) =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

/** The views of a list as tabs; none are shown where there is nothing to choose. */
export function ViewTabs({ of: { page, views, current } }: { of: Views }) {
  const [renamed, setRenamed] = useState<View | null>(null);
  const { remove } = useViewDeeds(page);
  if (views.length === 0) return null;
  return (
    <>
      {remove.error && <Notice>{reasonIn(remove.error)}</Notice>}
      <nav className={tabs.tabs} aria-label={words.label}>
        <Tab name={words.all} search={{}} is_current={!current} />
        {views.map((view) => (
          <span key={view.id} className={styles.view}>
            <Tab name={view.name} search={{ ...view.search, view: view.id }} is_current={view === current} />
            {view === current && (
              <RowMenu
                label={words.actions(view.name)}
                actions={[
                  { label: words.rename, icon: "pencil", onClick: () => setRenamed(view) },
                  { label: words.remove, icon: "trash", danger: true, onClick: () => remove.mutate(view) },
                ]}
              />
            )}
          </span>
        ))}
      </nav>
      {renamed && <NameView page={page} of={renamed} onClose={() => setRenamed(null)} />}
    </>
  );
}

const Tab = ({ name, search, is_current }: { name: string; search: ListSearch; is_current: boolean }) => (
  <Link
    to="."
    search={search as never}
    className={tabs.tab}
    // The address without its filters is that of every view.
    activeOptions={{ exact: true, includeSearch: true }}
    aria-current={is_current ? "page" : undefined}
    dir="auto"
  >
    {name}
  </Link>
);

interface SaveViewProps {
  of: Views;
  /** Which columns the list shows, where somebody has chosen them. */
  columns: string | undefined;
  /** Told the view that is shown from now on. */
  onSaved: (search: ListSearch) => void;
}

/** What stands behind the filters where the list is not as it was saved. */
export function SaveView({ of: { page, current, now, is_changed }, columns, onSaved }: SaveViewProps) {
  const [naming, setNaming] = useState(false);
  const { write } = useViewDeeds(page);
  const search = { ...now, ...(columns === undefined ? {} : { columns }) };
  const write_changes = (view: View) => write.mutate({ ...view, search });
  return (
    <>
      {is_changed && current && (
        <Button kind="quiet" size="small" busy={write.isPending} onClick={() => write_changes(current)}>
          {words.save_changes}
        </Button>
      )}
      {is_changed && (
        <Button kind="quiet" size="small" icon="bookmark" onClick={() => setNaming(true)}>
          {current ? words.save_new : words.save}
        </Button>
      )}
      {write.error && <Notice>{reasonIn(write.error)}</Notice>}
      {naming && (
        <NameView
          page={page}
          of={{ name: "", search }}
          onSaved={(id) => onSaved({ ...search, view: id })}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

interface NameViewProps {
  page: string;
  of: Omit<View, "id"> & { id?: string };
  onSaved?: (id: string) => void;
  onClose: () => void;
}

function NameView({ page, of, onSaved, onClose }: NameViewProps) {
  const [name, setName] = useState(of.name);
  const [asked, setAsked] = useState(false);
  const { write } = useViewDeeds(page);
  const fault = name.trim() === "" ? words.name_missing : undefined;
  const submit = () => {
    setAsked(true);
    if (fault) return;
    write.mutate(
      { ...of, name: name.trim() },
      {
        onSuccess: ({ id }) => {
          onSaved?.(id);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={of.id ? words.rename_title : words.save}
      submit={t.states.save}
      busy={write.isPending}
      error={reasonIn(write.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        hint={of.id ? undefined : words.lead}
        maxLength={255}
        dir="auto"
        value={name}
        onChange={setName}
        error={asked ? fault : undefined}
      />
    </FormDialog>
  );
}

/** Saves a view, anew where it has no id yet, and deletes one. */
function useViewDeeds(page: string) {
  const { api } = useProject();
  const queries = useQueryClient();
  const again = () => queries.invalidateQueries({ queryKey: ["views", page] });
  const at = (keptId: string) => ({ params: { path: { keptId } } });
  const write = useMutation({
    mutationFn: ({ id, name, search }: Omit<View, "id"> & { id?: string }) => {
      const body = { name, content: { search } };
      if (id === undefined) return bodyOf(api.POST("/dashboard/v1/views", { body: { ...body, page } }));
      return bodyOf(api.PUT("/dashboard/v1/views/{keptId}", { ...at(id), body }));
    },
    onSuccess: async ({ name }) => {
      toast(words.saved(name));
      await again();
    },
  });
  const remove = useMutation({
    mutationFn: ({ id }: View) => bodyOf(api.DELETE("/dashboard/v1/views/{keptId}", at(id))),
    onSuccess: async (_answer, { name }) => {
      toast(words.removed(name));
      await again();
    },
  });
  return { write, remove };
}
