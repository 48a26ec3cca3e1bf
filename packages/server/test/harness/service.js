import { afterAll, inject } from "vitest";
import { buildApp } from "../../src/app.js";
import { makeFirstProject } from "../../src/features/projects/index.js";
import { openDatabase } from "../../src/platform/database.js";
import { createLog } from "../../src/platform/log.js";
import { createSeal } from "../../src/platform/secrets.js";
import { createClient } from "./client.js";
/** Shared by all test files, since they share a database. */
const secret_key = Buffer.alloc(32, 7);
const management_key = { id: "test-management", token: "test-management-token" };
/** A Monday morning, in UTC. */
export const monday_morning = "2026-03-02T10:00:00.000Z";
/**
 * The whole service of this test file on real HTTP and the run's PostgreSQL, with answers held against their schemas.
 * Call it at the top of a file; it ends with the file.
 */
export async function startService(options = {}) {
    const clock = createTestClock(options.now ?? monday_morning);
    const log = createLog(process.env.GUERDON_LOG ?? "error");
    const url = options.database_url ?? inject("database_url");
    const db = openDatabase({ url, log, connections_max: 12, prepared: true });
    let address = "";
    const context = {
        config: { cluster_id: "eu1", host: "127.0.0.1" },
        db,
        clock,
        log,
        seal: createSeal(secret_key),
        public_url: () => address,
    };
    await makeFirstProject(context, { management_id: management_key.id, management_token: management_key.token });
    const app = await buildApp(context, { check_responses: true });
    address = await app.listen({ host: "127.0.0.1", port: 0 });
    afterAll(async () => {
        await app.close();
        await db.close();
    });
    const management = createClient(address, {
        "x-management-id": management_key.id,
        "x-management-token": management_key.token,
    });
    async function anotherProject(fields = {}) {
        const { body } = await management.post("/management/v1/projects", { name: "test", ...fields }, 200);
        const { app_id, app_token } = body.server_side_key;
        return { id: body.id, app_id, app_token, api: createClient(address, { "x-app-id": app_id, "x-app-token": app_token }) };
    }
    const project = await anotherProject(options.project);
    return { url: address, context, clock, project, api: project.api, management, anotherProject };
}
export function createTestClock(start) {
    let instant = Date.parse(start);
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
//# sourceMappingURL=service.js.map