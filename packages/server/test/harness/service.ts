import { afterAll, inject } from "vitest";
import { buildApp } from "../../src/app.js";
import { openCatalogues } from "../../src/composition.js";
import { default_decision_work } from "../../src/config.js";
import { makeFirstProject } from "../../src/features/projects/index.js";
import type { CallLimits } from "../../src/platform/call-limits.js";
import type { Clock, Instant } from "../../src/platform/clock.js";
import type { Context } from "../../src/platform/context.js";
import { type Database, openDatabase } from "../../src/platform/db/database.js";
import { sql } from "../../src/platform/db/sql.js";
import type { AddressLimit } from "../../src/platform/http/browsers/address-limit.js";
import type { ClientLimits } from "../../src/platform/http/clients.js";
import { createShapes } from "../../src/platform/http/shapes/create-shapes.js";
import { createBell } from "../../src/platform/jobs/bell.js";
import { createLog } from "../../src/platform/log.js";
import { createMetrics } from "../../src/platform/metrics.js";
import { createSeal } from "../../src/platform/secrets.js";
import { Turns } from "../../src/platform/sharing/turns.js";
import { createSecondPhase } from "../../src/second-phase.js";
import { type Client, createClient } from "./client.js";

/** A clock that stands still until a test turns it. */
export interface TestClock extends Clock {
  set(text: string): void;
  advance(by: { days?: number; hours?: number; minutes?: number; ms?: number }): void;
}

export interface TestProject {
  id: string;
  app_id: string;
  app_token: string;
  client_id: string;
  client_token: string;
  /** Calls as this project's application. */
  api: Client;
  /** Calls as a page that this project trusts. */
  page: Client;
}

export interface TestService {
  url: string;
  context: Context;
  clock: TestClock;
  /** The project of this test file. */
  project: TestProject;
  api: Client;
  page: Client;
  management: Client;
  /** Another project beside it; fields as of `POST /management/v1/projects`. */
  anotherProject(fields?: Record<string, unknown>): Promise<TestProject>;
  /** Does the second phase of this file's projects, as far as it is due by the clock: asynchronous actions, events, points. */
  runDue(): Promise<void>;
}

/** Of all files that a worker runs: compiling them anew took half of what starting a service for each file does. */
export const shapes = createShapes();

/** Shared by all test files, since they share a database. */
const secret_key = Buffer.alloc(32, 7);
const management_key = { id: "test-management", token: "test-management-token" };
/** Where pages of test projects are, unless a project is made with other trusted domains. */
export const page_origin = "https://shop.example";
/** For tests that are not about how often an address may call: every call leaves the window at once. */
const no_limit: AddressLimit = { calls_max: 1_000_000, window_ms: 0, addresses_max: 100 };
/** A Monday morning, in UTC. */
export const monday_morning = "2026-03-02T10:00:00.000Z";

/**
 * The whole service of this test file on real HTTP and the run's PostgreSQL, with answers held against their schemas.
 * Call it at the top of a file; it ends with the file.
 */
export async function startService(
  options: {
    project?: Record<string, unknown>;
    now?: string;
    database_url?: string;
    clients?: ClientLimits;
    client_side_limit?: AddressLimit;
    webhook_allow_private?: boolean;
    call_limits?: CallLimits;
    trusted_proxies?: readonly string[];
    smtp?: { url: string; from: string };
  } = {},
): Promise<TestService> {
  const clock = createTestClock(options.now ?? monday_morning);
  const log = createLog(process.env.GUERDON_LOG ?? "error");
  const { db, metrics } = options.database_url ? open(options.database_url) : connectedOnce();
  const project_ids: string[] = [];
  let address = "";
  const context: Context = {
    config: {
      cluster_id: "eu1",
      host: "127.0.0.1",
      events_days: 730,
      metrics_token: undefined,
      clients: options.clients,
      client_side_limit: options.client_side_limit ?? no_limit,
      webhook_allow_private: options.webhook_allow_private ?? false,
      call_limits: options.call_limits,
      trusted_proxies: options.trusted_proxies,
      smtp: options.smtp,
    },
    db,
    bell: createBell(),
    turns: new Turns(default_decision_work),
    catalogues: openCatalogues(metrics),
    clock,
    log,
    metrics,
    seal: createSeal(secret_key),
    public_url: () => address,
  };
  await makeFirstProject(context, { management_id: management_key.id, management_token: management_key.token });
  const app = await buildApp(context, { check_responses: true, shapes });
  address = await app.listen({ host: "127.0.0.1", port: 0 });
  afterAll(async () => {
    await app.close();
    if (options.database_url) await db.close();
    else await leaveNothingToDo(db, project_ids);
  });

  const management = createClient(address, {
    "x-management-id": management_key.id,
    "x-management-token": management_key.token,
  });
  async function anotherProject(fields: Record<string, unknown> = {}): Promise<TestProject> {
    const open = {
      client_trusted_domains: [page_origin],
      client_redeem_enabled: true,
      client_publish_enabled: true,
    };
    const { body } = await management.post("/management/v1/projects", { name: "test", ...open, ...fields }, 200);
    const { app_id, app_token } = body.server_side_key;
    const { app_id: client_id, app_token: client_token } = body.client_side_key;
    const of_page = { "x-client-application-id": client_id, "x-client-token": client_token, origin: page_origin };
    project_ids.push(body.id);
    return {
      id: body.id,
      app_id,
      app_token,
      client_id,
      client_token,
      page: createClient(address, of_page),
      api: createClient(address, { "x-app-id": app_id, "x-app-token": app_token }),
    };
  }
  const project = await anotherProject(options.project);
  const second_phase = createSecondPhase(context, { project_ids });
  const runDue = () => second_phase.runDue(clock.now());
  return {
    url: address,
    context,
    clock,
    project,
    api: project.api,
    page: project.page,
    management,
    anotherProject,
    runDue,
  };
}

function open(url: string) {
  const metrics = createMetrics();
  const log = createLog(process.env.GUERDON_LOG ?? "error");
  return {
    metrics,
    db: openDatabase({ url, log, metrics, connections_max: 12, prepared: true, asking_ms_max: 2_000 }),
  };
}

let of_worker: ReturnType<typeof open> | undefined;

/**
 * The connections of all files that a worker runs, which end with it. A new one learns the tables and plans each statement first:
 * a tenth of what the files of the service take.
 */
function connectedOnce() {
  of_worker ??= open(inject("database_url"));
  return of_worker;
}

/** What nobody does any more would be looked through by all files that come after. */
async function leaveNothingToDo(db: Database, project_ids: readonly string[]): Promise<void> {
  for (const table of [sql`outbox_parcels`, sql`async_actions`, sql`voucher_sessions`])
    await db.run(sql`delete from ${table} where project_id = any(${project_ids}::text[])`);
}

export function createTestClock(start: string): TestClock {
  let instant: Instant = Date.parse(start);
  return {
    now: () => instant,
    set(text) {
      instant = Date.parse(text);
    },
    advance({ days = 0, hours = 0, minutes = 0, ms = 0 }) {
      instant += ((days * 24 + hours) * 60 + minutes) * 60_000 + ms;
    },
  };
}
