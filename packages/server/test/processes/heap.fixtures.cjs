// Loaded into a service before its own code (NODE_OPTIONS=--require): on SIGUSR2 it collects garbage and writes what is left.
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");
const { isMainThread } = require("node:worker_threads");

if (isMainThread) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  process.on("SIGUSR2", () => {
    collect();
    collect();
    const { heapUsed, rss, external } = process.memoryUsage();
    process.stderr.write(`memory ${JSON.stringify({ heap: heapUsed, rss, external })}\n`);
  });
}
