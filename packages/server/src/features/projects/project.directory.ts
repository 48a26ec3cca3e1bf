import type { Database } from "../../platform/db/database.js";
import { sharedRead } from "../../platform/db/reads.js";
import { readMetadataSchemas } from "./metadata-schemas.store.js";
import type { ProjectSnapshot } from "./project.js";
import { findKeyOwners, findProject, listApiKeys } from "./project.store.js";

/** Finds projects with their keys, never older than the question unless it says so. */
interface ProjectDirectory {
  ofKey(key_id: string): Promise<ProjectSnapshot | undefined>;
  /** As it was when somebody last asked about it, or about another key of it; undefined where nobody has. */
  lastKnown(key_id: string): ProjectSnapshot | undefined;
  /** The project as the version has it, or newer. */
  at(project_id: string, version: number): Promise<ProjectSnapshot | undefined>;
}

/** Keys of which is remembered whose they are; beyond them all are forgotten. */
const remembered_max = 100_000;

/**
 * Keeps projects in memory with the version they were read at. Each request asks the database for the present
 * version, together with the requests beside it, and only a newer one makes the project be read again: a revoked key
 * stops, and a changed setting counts, with the next request on every node (architecture.md §7).
 */
export function createProjectDirectory(db: Database): ProjectDirectory {
  const snapshots = new Map<string, ProjectSnapshot>();
  const projects_of_keys = new Map<string, string>();
  const reading = new Map<string, Promise<ProjectSnapshot | undefined>>();
  const ownerOf = sharedRead<string, { project_id: string; version: number }>(
    async (key_ids) => new Map((await findKeyOwners(db, key_ids)).map((owner) => [owner.key_id, owner])),
    { at_once: 2, keys_max: 500 },
  );

  async function readSnapshot(project_id: string, version: number): Promise<ProjectSnapshot | undefined> {
    const [project, keys, metadata_schemas] = await Promise.all([
      findProject(db, project_id),
      listApiKeys(db, project_id),
      readMetadataSchemas(db, project_id),
    ]);
    if (!project) return undefined;
    // Read after the version was known, so it is at least that new; should it be newer, it is read once more.
    const snapshot = { version, project, keys: new Map(keys.map((key) => [key.id, key])), metadata_schemas };
    if ((snapshots.get(project_id)?.version ?? 0) < version) snapshots.set(project_id, snapshot);
    return snapshot;
  }

  async function at(project_id: string, version: number): Promise<ProjectSnapshot | undefined> {
    const known = snapshots.get(project_id);
    if (known && known.version >= version) return known;
    const name = `${project_id} ${version}`;
    const read = reading.get(name) ?? readSnapshot(project_id, version).finally(() => reading.delete(name));
    reading.set(name, read);
    return read;
  }

  return {
    at,
    async ofKey(key_id) {
      const owner = await ownerOf(key_id);
      if (!owner) return undefined;
      if (projects_of_keys.size >= remembered_max && !projects_of_keys.has(key_id)) projects_of_keys.clear();
      projects_of_keys.set(key_id, owner.project_id);
      return at(owner.project_id, owner.version);
    },
    lastKnown: (key_id) => snapshots.get(projects_of_keys.get(key_id) ?? ""),
  };
}
