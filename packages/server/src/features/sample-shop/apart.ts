import type { Clock } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";

/** The service for one project alone, by another clock, with nobody listening: what somebody asks of it happens at that clock's instant. */
export interface Apart {
  /** Through the same door as any request. */
  ask(request: Asked): Promise<{ status: number; body: unknown }>;
  /** Does what follows from the answers, by the clock. */
  followUp(): Promise<void>;
  /** The same, and what the passing of time has brought. */
  runDue(): Promise<void>;
  close(): Promise<void>;
}

export interface Asked {
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

export type OpenApart = (context: Context, project_id: string, clock: Clock) => Promise<Apart>;
