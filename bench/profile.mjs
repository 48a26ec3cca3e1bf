// Sums a CPU profile of the service up: where its own time goes, by function and by whose code it is.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const functions_shown = 15;
const waiting = new Set(["(idle)", "(root)"]);

/**
 * The shares of busy time, largest first, between two ages of the process. What the runtime does for somebody (system
 * calls, JSON, Node.js itself) counts as theirs: it is they who could ask for less of it.
 */
export function summaryOf(folder, { from_ms, to_ms }) {
  const [file] = readdirSync(folder).filter((name) => name.endsWith(".cpuprofile"));
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), "utf8"));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const owners = ownersOf(nodes);
  const by_function = new Map();
  const by_owner = new Map();
  let age_us = 0;
  let busy = 0;
  let idle = 0;
  samples.forEach((id, i) => {
    const took = Math.max(0, timeDeltas[i]);
    age_us += took;
    if (age_us < from_ms * 1000 || age_us > to_ms * 1000) return;
    const frame = frames.get(id);
    if (waiting.has(frame.functionName)) {
      idle += took;
      return;
    }
    busy += took;
    add(by_function, nameOf(frame), took);
    add(by_owner, owners.get(id), took);
  });
  return {
    idle_share: idle / (busy + idle),
    functions: shares(by_function, busy).slice(0, functions_shown),
    owners: shares(by_owner, busy).filter(({ share }) => share >= 0.01),
  };
}

/** Whose each node is: its own code's, or else its nearest caller's. */
function ownersOf(nodes) {
  const owners = new Map();
  // Parents stand before their children in a profile.
  for (const { id, callFrame, children = [] } of nodes) {
    const own = ownerOf(callFrame) ?? owners.get(id) ?? "Node.js";
    for (const child of children) owners.set(child, own);
    owners.set(id, own);
  }
  return owners;
}

const add = (sums, name, took) => sums.set(name, (sums.get(name) ?? 0) + took);

const shares = (sums, whole) =>
  [...sums].map(([name, took]) => ({ name, share: took / whole })).sort((a, b) => b.share - a.share);

function nameOf({ functionName, url, lineNumber }) {
  const place = placeOf(url);
  return place === "" ? functionName || "(native)" : `${functionName || "(anonymous)"} ${place}:${lineNumber + 1}`;
}

const placeOf = (url) =>
  url
    .replace(/^.*\/node_modules\//, "")
    .replace(/^.*\/packages\//, "")
    .replace(/^.*\/bench\//, "bench/")
    .replace("/dist/", "/");

function ownerOf({ functionName, url }) {
  if (functionName === "(garbage collector)") return "garbage collection";
  if (url === "" || url.startsWith("node:")) return undefined;
  const library = url.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1];
  if (library) return library.startsWith("pg") ? "pg" : library;
  return url.match(/packages\/(engine|server\/dist\/(?:features\/[^/]+|[^/]+))/)?.[1]?.replace("dist/", "") ?? "others";
}
