import type { Clock } from "../../src/platform/clock.js";
import type { Context } from "../../src/platform/context.js";
import { type Client } from "./client.js";
/** A clock that stands still until a test turns it. */
export interface TestClock extends Clock {
    set(text: string): void;
    advance(by: {
        days?: number;
        hours?: number;
        minutes?: number;
        ms?: number;
    }): void;
}
export interface TestProject {
    id: string;
    app_id: string;
    app_token: string;
    /** Calls as this project's application. */
    api: Client;
}
export interface TestService {
    url: string;
    context: Context;
    clock: TestClock;
    /** The project of this test file. */
    project: TestProject;
    api: Client;
    management: Client;
    /** Another project beside it; fields as of `POST /management/v1/projects`. */
    anotherProject(fields?: Record<string, unknown>): Promise<TestProject>;
}
/** A Monday morning, in UTC. */
export declare const monday_morning = "2026-03-02T10:00:00.000Z";
/**
 * The whole service of this test file on real HTTP and the run's PostgreSQL, with answers held against their schemas.
 * Call it at the top of a file; it ends with the file.
 */
export declare function startService(options?: {
    project?: Record<string, unknown>;
    now?: string;
    database_url?: string;
}): Promise<TestService>;
export declare function createTestClock(start: string): TestClock;
