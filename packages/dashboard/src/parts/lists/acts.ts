import type { ReactNode } from "react";
import { reasonOf } from "../../api/answer.js";
import { bodyOf, isAway, type Schemas } from "../../api/client.js";
import type { Project } from "../../api/project.js";
import type { IconName } from "../../ui/icon.js";
import { type Result, refusedRows } from "../refused-rows.js";

/** A thing that was left as it was, and why. */
export interface Left {
  name: string;
  why: string;
}

/** What came of it: how many were tried, and which of them are as before. */
export interface Outcome {
  tried: number;
  left: readonly Left[];
}

/** What an act tells of itself while it is under way. */
export interface Job {
  onProgress(done: number): void;
  /** Somebody wants it to end. */
  signal: AbortSignal;
}

interface FieldOf {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** Something that is done to every row that somebody has selected. */
export interface Act<Row> {
  label: string;
  icon: IconName;
  danger?: true;
  /** Named after the deed, and how many it is done to. */
  title: (count: string) => string;
  /** Said once it is done. */
  done: (count: string) => string;
  /** What comes of it. */
  lead?: string;
  /** What has to be known beside it. */
  asks?: { initial: string; fault?: (value: string) => string | undefined; field: (field: FieldOf) => ReactNode };
  /** The service goes on with it though nobody looks on. */
  goes_on?: true;
  run: (rows: readonly Row[], given: string, job: Job) => Promise<Outcome>;
}

/** What may be done to the rows of a list, and how each of them is called. */
export interface Acts<Row> {
  nameOf: (row: Row) => string;
  all: readonly Act<Row>[];
}

/** Requests that are under way together: one more would make everybody else's pages wait. */
const at_once = 4;

/** A request a row. What is refused is told of, and the others go on; once the service is away, nothing is tried any more. */
export async function oneByOne<Row>(
  rows: readonly Row[],
  { nameOf, one }: { nameOf: (row: Row) => string; one: (row: Row) => Promise<unknown> },
  { onProgress, signal }: Job,
): Promise<Outcome> {
  const left: Left[] = [];
  let next = 0;
  let tried = 0;
  let is_away = false;
  const work = async () => {
    for (let row = rows[next++]; row !== undefined && !signal.aborted && !is_away; row = rows[next++]) {
      try {
        await one(row);
      } catch (error) {
        is_away ||= isAway(error);
        left.push({ name: nameOf(row), why: reasonOf(error) });
      }
      tried += 1;
      onProgress(tried);
    }
  };
  await Promise.all(Array.from({ length: at_once }, work));
  return { tried, left };
}

const asked_again_ms = 700;

/** Starts a task of the service, and looks on until it has ended or nobody looks on any more. */
export async function asTask(
  { api }: Pick<Project, "api">,
  count: number,
  start: () => Promise<Schemas["AsyncActionStarted"]>,
  { onProgress, signal }: Job,
): Promise<Outcome> {
  const { async_action_id: asyncActionId } = await start();
  while (!signal.aborted) {
    const task = await bodyOf(api.GET("/v1/async-actions/{asyncActionId}", { params: { path: { asyncActionId } } }));
    const result = (task.result ?? {}) as Result;
    if (task.status === "FAILED") throw new Error(result.message);
    if (task.status === "DONE") return { tried: count, left: refusedRows(result) };
    onProgress(Math.floor((count * task.progress) / 100));
    await new Promise((resolve) => setTimeout(resolve, asked_again_ms));
  }
  return { tried: 0, left: [] };
}
