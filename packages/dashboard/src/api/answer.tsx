import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { t } from "../text/index.js";
import { Failed, Loading, State } from "../ui/page.js";
import { Refused } from "./client.js";

/** Why something was refused, in the service's words. */
export function reasonOf(error: unknown): string {
  if (error instanceof Refused && error.status === 0) return t.states.away;
  if (error instanceof Refused) return error.details ? `${error.message}: ${error.details}` : error.message;
  return error instanceof Error ? error.message : String(error);
}

/** The reason of a failure that may not have happened. */
export const reasonIn = (error: Error | null): string | undefined => (error ? reasonOf(error) : undefined);

const named_property = /Property \.([a-z_]+)/;

/**
 * A refusal where it belongs: at the field of the form that it names, or else above the form.
 *
 * @param fields names of the form's fields, as the service calls them
 */
export function refusalAt<Field extends string>(error: Error | null, fields: readonly Field[]) {
  const reason = reasonIn(error);
  const details = error instanceof Refused ? (error.details ?? "") : "";
  const named = named_property.exec(details)?.[1];
  const field = fields.find((one) => one === named);
  return { above: field ? undefined : reason, at: (one: Field) => (one === field ? details : undefined) };
}

interface AnswerProps<Body> {
  of: Pick<UseQueryResult<Body>, "data" | "error" | "refetch">;
  /** As it stands in a sentence: `Keys`. */
  what: string;
  loading?: ReactNode;
  children: (body: Body) => ReactNode;
}

/** What a request answered, or that it is under way, or why not. */
export function Answer<Body>({ of: { data, error, refetch }, what, loading, children }: AnswerProps<Body>) {
  if (data !== undefined) return children(data);
  if (!error) return loading ?? <Loading />;
  if (error instanceof Refused && error.status === 403) return <NotYours what={what} />;
  return (
    <Failed
      what={what}
      reason={reasonOf(error)}
      request_id={error instanceof Refused ? error.request_id : undefined}
      onRetry={() => void refetch()}
    />
  );
}

export const NotYours = ({ what }: { what: string }) => (
  <State icon="key" title={t.states.not_yours(what.toLowerCase())}>
    {t.states.who_grants}
  </State>
);
