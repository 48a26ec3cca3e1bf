import type { Config } from "../config.js";

/** What one of several processes may take of what the configuration grants them all. */
export function shareOf(config: Config): Config {
  const { processes, connections_max, catalogue_bytes, clients } = config;
  return {
    ...config,
    connections_max: Math.floor(connections_max / processes),
    catalogue_bytes: catalogue_bytes === undefined ? undefined : Math.floor(catalogue_bytes / processes),
    clients: { ...clients, clients_max: Math.ceil(clients.clients_max / processes) },
  };
}

const mb = 2 ** 20;
/** What Node.js takes by itself where there is memory enough. */
const heap_mb_max = 4_096;

/**
 * Flags of Node.js for each process. By itself each would take up to half of the machine for its heap; that half is for all of them
 * together. What is a share of the heap (catalogues, bodies under way) is smaller by that.
 */
export function flagsOf({ processes, is_heap_given }: Config, memory_bytes: number): readonly string[] {
  if (is_heap_given) return [];
  return [`--max-old-space-size=${Math.min(heap_mb_max, Math.floor(memory_bytes / 2 / processes / mb))}`];
}
