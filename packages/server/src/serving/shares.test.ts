import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultProcesses, readConfig } from "../config.js";
import { flagsOf, shareOf } from "./shares.js";

const [mb, gb] = [2 ** 20, 2 ** 30];

describe("without GUERDON_PROCESSES there are", () => {
  test.each`
    cores | memory_gb | processes
    ${1}  | ${64}     | ${1}
    ${2}  | ${64}     | ${1}
    ${3}  | ${64}     | ${2}
    ${8}  | ${64}     | ${7}
    ${64} | ${64}     | ${40}
    ${64} | ${2}      | ${2}
    ${64} | ${0.25}   | ${1}
  `("$processes on $cores cores with $memory_gb GB", ({ cores, memory_gb, processes }) => {
    expect(defaultProcesses(cores, memory_gb * gb)).toBe(processes);
  });
});

describe("what is configured is for all processes together", () => {
  const configs = fc.record({
    processes: fc.integer({ min: 1, max: 40 }),
    connections: fc.integer({ min: 160, max: 180 }),
    clients: fc.integer({ min: 10, max: 100_000 }),
    bytes: fc.integer({ min: 2 ** 20, max: 2 ** 36 }),
    memory_mb: fc.integer({ min: 512, max: 2 ** 20 }),
  });
  test("and each has its share of it", () => {
    fc.assert(
      fc.property(configs, ({ processes, connections, clients, bytes, memory_mb }) => {
        const config = readConfig({
          GUERDON_PROCESSES: String(processes),
          GUERDON_CONNECTIONS: String(connections),
          GUERDON_CLIENTS: String(clients),
          GUERDON_CATALOGUE_BYTES: String(bytes),
        });
        const share = shareOf(config);
        expect(share.connections_max * processes).toBeLessThanOrEqual(connections);
        expect(share.connections_max).toBeGreaterThanOrEqual(4);
        expect((share.catalogue_bytes ?? 0) * processes).toBeLessThanOrEqual(bytes);
        // Of clients none is turned away that there was room for.
        expect(share.clients.clients_max * processes).toBeGreaterThanOrEqual(clients);
        expect(share.clients.clients_max * processes).toBeLessThan(clients + processes);
        const [flag = ""] = flagsOf({ ...config, is_heap_given: false }, memory_mb * mb);
        expect(Number(flag.split("=")[1]) * processes).toBeLessThanOrEqual(memory_mb / 2);
      }),
    );
  });

  test("and one that is alone has it all", () => {
    const config = readConfig({ GUERDON_PROCESSES: "1", GUERDON_CATALOGUE_BYTES: "9999999" });
    expect(shareOf(config)).toEqual(config);
  });

  test("but for the heap that Node.js was told of: it is each one's", () => {
    const config = readConfig({ GUERDON_PROCESSES: "2", NODE_OPTIONS: "--max-old-space-size=256" });
    expect(flagsOf(config, 8 * gb)).toEqual([]);
    expect(flagsOf(readConfig({ GUERDON_PROCESSES: "3" }), 12 * gb)).toEqual(["--max-old-space-size=2048"]);
    expect(flagsOf(readConfig({ GUERDON_PROCESSES: "2" }), 64 * gb)).toEqual(["--max-old-space-size=4096"]);
  });

  test("so that fewer than four connections for each are refused, and are made more where none are named", () => {
    const refused = () => readConfig({ GUERDON_PROCESSES: "3", GUERDON_CONNECTIONS: "11" });
    expect(refused).toThrow("GUERDON_CONNECTIONS must be a whole number from 12 to 180, not '11'");
    expect(readConfig({ GUERDON_PROCESSES: "40" }).connections_max).toBeGreaterThanOrEqual(160);
    // Who has said how many connections there are, and not how many processes, is served as before.
    expect(readConfig({ GUERDON_CONNECTIONS: "7" }).processes).toBe(1);
  });
});
