import { becomeOwner, type StartLog } from "./become-owner.js";
import { findBinaries } from "./binaries.js";
import { ensureCluster, removeDrafts, role } from "./cluster.js";
import { folderAt, makeDataDir, readPassword, recordedPort, recordPort } from "./folder.js";
import { ensureDatabase } from "./owner.js";
import type { Site } from "./postmaster.js";
import { asRefusal, StartRefused } from "./refused.js";
import { reachableName, serverUser } from "./server-user.js";
import { type EmbeddedPostgres, watchOwnership } from "./watch.js";

/**
 * Starts PostgreSQL in the data folder, or adopts the one that a killed process left running there. Throws {@link StartRefused}.
 *
 * @param is_throwaway nobody will ever need what is written there once this server has ended: for runs of tests
 */
export async function startEmbeddedPostgres({
  data_dir,
  log,
  is_throwaway = false,
}: {
  data_dir: string;
  log: StartLog;
  is_throwaway?: boolean;
}): Promise<EmbeddedPostgres> {
  try {
    const site = { ...(await prepare(data_dir, log)), is_throwaway };
    const { client, port } = await becomeOwner(site, log);
    const { lost, stop } = watchOwnership(site, { client, port }, log);
    try {
      await ensureDatabase(client);
      await recordPort(site.folder, port, site.user);
      await removeDrafts(site.folder);
    } catch (error) {
      await stop();
      throw error;
    }
    return { url: urlOf(site.password, port), lost, stop };
  } catch (error) {
    throw asRefusal(error, data_dir);
  }
}

const urlOf = (password: string, port: number) =>
  `postgresql://${role}:${password}@127.0.0.1:${port}/${role}?sslmode=disable`;

/** Where the server listens that another process of ours has started in the data folder. */
export async function runningPostgresUrl(data_dir: string): Promise<string> {
  const folder = folderAt(data_dir);
  const port = await recordedPort(folder);
  if (port === undefined) throw new StartRefused(`Nobody noted in ${folder.home} where its PostgreSQL listens.`);
  return urlOf(await readPassword(folder), port);
}

/** Everything up to database files that are there and can be served. */
async function prepare(data_dir: string, log: StartLog): Promise<Omit<Site, "is_throwaway">> {
  if (process.platform === "win32") {
    throw new StartRefused(
      `Guerdon starts no PostgreSQL in ${data_dir}, since it does not do so on Windows. Set DATABASE_URL to a PostgreSQL of yours.`,
    );
  }
  const folder = folderAt(data_dir);
  const user = await serverUser(folder);
  await makeDataDir(folder, user);
  const binaries = await findBinaries(folder.data_dir, user, (message) => log.info(message));
  const origin = await ensureCluster(folder, binaries, user);
  if (origin === "made") log.info(`a new database was made in ${folder.home}`);
  const cluster_name = await reachableName(folder.cluster, user);
  return { folder, binaries, user, cluster_name, password: await readPassword(folder) };
}
