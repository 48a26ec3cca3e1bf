import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { reasonOf } from "../api/answer.js";
import { bodyOf, isAway, Refused, type Schemas } from "../api/client.js";
import { type Project, useProject } from "../api/project.js";

type Calls = Pick<Project, "api">;
export type Draft = Schemas["KeptList"]["data"][number];

/** One's own in this project, the one that was changed last first. */
export const draftsQuery = ({ api }: Calls) =>
  queryOptions({ queryKey: ["drafts", "list"], queryFn: () => bodyOf(api.GET("/dashboard/v1/drafts")) });

const at = (keptId: string) => ({ params: { path: { keptId } } });

/** What was typed, as it was kept; null: it is not there any more. */
export const draftQuery = ({ api }: Calls, id: string) =>
  queryOptions({
    queryKey: ["drafts", "one", id],
    // As it was when the page began: from there on the page knows better.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async () => {
      try {
        return (await bodyOf(api.GET("/dashboard/v1/drafts/{keptId}", at(id)))).content;
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return null;
        throw error;
      }
    },
  });

export const removeDraft = ({ api }: Calls, id: string) => bodyOf(api.DELETE("/dashboard/v1/drafts/{keptId}", at(id)));

const settled_ms = 1_000;
const again_ms = 5_000;
const kept_alive_length_max = 16_384;

interface Kept<Content> {
  /** What it is of, as the address of the page has it. */
  page: string;
  name: string;
  content: Content;
  /** The draft that the page began with. */
  id: string | undefined;
  /** Whether the page began with what this tab alone had. */
  is_unsaved: boolean;
  /** Told once there is one, and what it is called. */
  onMade: (id: string) => void;
}

/** `idle`: nothing was typed yet. */
export type DraftState = { is: "idle" | "saving" | "saved" } | { is: "failed"; reason: string };

/**
 * Keeps what somebody types: by the service a second after they have stopped, and until it has it in this tab, where it outlives a new
 * load of the page. What could not be kept is tried again by itself.
 */
export function useDraft<Content extends object>({ page, name, content, id, is_unsaved, onMade }: Kept<Content>) {
  const project = useProject();
  const queries = useQueryClient();
  const [state, setState] = useState<DraftState>({ is: "idle" });
  const [tries, setTries] = useState(0);
  const typed = JSON.stringify({ name, content });
  const held = useRef({
    id,
    typed,
    saved: is_unsaved ? "" : typed,
    is_saving: false,
    has_ended: false,
    has_left: false,
  });
  held.current.typed = typed;

  const save = async () => {
    const now = held.current;
    if (now.is_saving || now.has_ended || now.typed === now.saved) return;
    now.is_saving = true;
    const sent = now.typed;
    setState({ is: "saving" });
    try {
      const made = await keep(project, page, now.id, JSON.parse(sent));
      now.saved = sent;
      if (now.id !== made && !now.has_ended && !now.has_left) onMade(made);
      now.id = made;
      if (now.typed === sent) forget(project, page);
      // It is not needed any more, and was on its way when that became so.
      if (now.has_ended) await removeDraft(project, made);
      setState({ is: "saved" });
      void queries.invalidateQueries({ queryKey: ["drafts", "list"] });
    } catch (error) {
      setState({ is: "failed", reason: reasonOf(error) });
      const may_pass = isAway(error) || (error instanceof Refused && error.status >= 500);
      if (may_pass) setTimeout(() => setTries((count) => count + 1), again_ms);
    } finally {
      now.is_saving = false;
      if (now.saved === sent && now.typed !== sent) setTries((count) => count + 1);
    }
  };
  const latest = useRef(save);
  latest.current = save;

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed, and each new try, begins the second anew.
  useEffect(() => {
    const { has_ended, saved } = held.current;
    if (has_ended || typed === saved) return;
    remember(project, page, { id: held.current.id, typed });
    const timer = setTimeout(() => void latest.current(), settled_ms);
    return () => clearTimeout(timer);
  }, [typed, tries]);
  useLeaving(held, latest);

  /** What it was for is done. */
  const end = async () => {
    held.current.has_ended = true;
    forget(project, page);
    if (held.current.id) await removeDraft(project, held.current.id).catch(() => undefined);
    await queries.invalidateQueries({ queryKey: ["drafts", "list"] });
  };
  return { state, end };
}

/** Who leaves the page within the second loses nothing either. */
function useLeaving(
  held: RefObject<{ id: string | undefined; has_left: boolean }>,
  save: RefObject<() => Promise<void>>,
): void {
  useEffect(() => {
    const leave = () => void save.current();
    held.current.has_left = false;
    // A page that is gone hears of no draft that it has made: what is none yet stays in the tab.
    const hide = () => held.current.id !== undefined && leave();
    addEventListener("pagehide", hide);
    return () => {
      removeEventListener("pagehide", hide);
      held.current.has_left = true;
      leave();
    };
  }, [held, save]);
}

async function keep(project: Project, page: string, id: string | undefined, typed: { name: string; content: object }) {
  const { api } = project;
  const body = { ...typed, content: typed.content as Record<string, unknown> };
  // It is sent to its end though the page be closed meanwhile, where it is no more than browsers take along.
  const keepalive = JSON.stringify(body).length < kept_alive_length_max;
  if (id !== undefined) {
    try {
      return (await bodyOf(api.PUT("/dashboard/v1/drafts/{keptId}", { ...at(id), body, keepalive }))).id;
    } catch (error) {
      // Thrown away at another desk: what is typed here is a draft all the same.
      if (!(error instanceof Refused && error.status === 404)) throw error;
    }
  }
  return (await bodyOf(api.POST("/dashboard/v1/drafts", { body: { ...body, page }, keepalive }))).id;
}

interface Remembered {
  id: string | undefined;
  typed: string;
}

const placeOf = ({ id }: Project, page: string) => `guerdon.typed.${id}.${page}`;

// A tab may keep nothing, when it is private or full: then the service alone does.
function remember(project: Project, page: string, typed: Remembered): void {
  try {
    sessionStorage.setItem(placeOf(project, page), JSON.stringify(typed));
  } catch {}
}

function forget(project: Project, page: string): void {
  try {
    sessionStorage.removeItem(placeOf(project, page));
  } catch {}
}

/** What was typed in this tab and reached no draft, of the draft that is asked for. */
export function unsavedIn<Content>(project: Project, page: string, id: string | undefined): Content | undefined {
  try {
    const found = JSON.parse(sessionStorage.getItem(placeOf(project, page)) ?? "null") as Remembered | null;
    return found && found.id === id ? (JSON.parse(found.typed) as { content: Content }).content : undefined;
  } catch {
    return undefined;
  }
}
