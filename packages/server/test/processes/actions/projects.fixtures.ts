import { form_type, formOf } from "../../../src/features/imports/import.fixtures.js";
import { type Client, createClient } from "../../harness/client.js";
import { type Cluster, untilDone } from "../async.fixtures.js";

const owner = { email: "owner@example.com", password: "a password that nobody guesses" };
const management = { id: "management", token: "management-token" };

/** What a service of these projects is started with, beside what all are. */
export const service_env = {
  GUERDON_OWNER_EMAIL: owner.email,
  GUERDON_OWNER_PASSWORD: owner.password,
  GUERDON_MANAGEMENT_ID: management.id,
  GUERDON_MANAGEMENT_TOKEN: management.token,
};

/** A project in which something is done at length. */
export interface Workplace {
  id: string;
  api: Client;
  /** Calls as a page of the dashboard in the owner's browser. */
  browser: Client;
  /** Sends a file, the titles first. */
  file(path: string, lines: readonly string[]): Promise<void>;
  /** Until all that was started here has ended. */
  settled(): Promise<void>;
}

/** Makes projects beside each other, on a service that goes on living. */
export async function workplaces(cluster: Cluster, url: string) {
  const managing = createClient(url, { "x-management-id": management.id, "x-management-token": management.token });
  const same_site = { "sec-fetch-site": "same-origin" };
  const stranger = createClient(url, { ...same_site, "x-project-id": "" });
  const signed_in = await stranger.post("/dashboard/v1/session", owner, 204);
  const cookie = (signed_in.headers.get("set-cookie") ?? "").split(";")[0] ?? "";

  return async function aWorkplace(name: string): Promise<Workplace> {
    const { id, server_side_key } = (await managing.post("/management/v1/projects", { name }, 200)).body;
    const api = createClient(url, { "x-app-id": server_side_key.app_id, "x-app-token": server_side_key.app_token });
    return {
      id,
      api,
      browser: createClient(url, { ...same_site, "x-project-id": id, cookie }),
      async file(path, lines) {
        const headers = { "content-type": form_type };
        const { status } = await api.send("POST", path, { raw: formOf(lines.join("\n")), headers });
        if (status >= 300) throw new Error(`${path} refused a file: ${status}`);
      },
      async settled() {
        for (const action_id of await unfinishedOf(cluster, id)) await untilDone(cluster, action_id);
      },
    };
  };
}

async function unfinishedOf({ db }: Cluster, project_id: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    "select id from async_actions where project_id = $1 and status in ('ENQUEUED', 'IN_PROGRESS') order by position",
    [project_id],
  );
  return rows.map(({ id }) => id);
}

/** The action that was started last, whether it has ended by now or not. */
export async function newestIn({ db }: Cluster, project_id: string): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    "select id from async_actions where project_id = $1 order by id desc limit 1",
    [project_id],
  );
  return rows[0]?.id ?? "";
}
