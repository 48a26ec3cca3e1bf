// Time and memory within one process, where nothing is shared and a single call can be timed.

export const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/**
 * Calls `work(i)` for so many seconds. The clock is read after every `calls` of them: once each for what is to have
 * quantiles, less often for what takes hardly longer than the reading.
 */
export function timed(work, seconds, calls = 1) {
  const took_ms = [];
  const cpu_before = process.cpuUsage();
  const begun = performance.now();
  const until = begun + seconds * 1000;
  let i = 0;
  let last = begun;
  while (last < until) {
    for (const end = i + calls; i < end; i += 1) answer = work(i);
    const read = performance.now();
    took_ms.push((read - last) / calls);
    last = read;
  }
  const { user, system } = process.cpuUsage(cpu_before);
  took_ms.sort((a, b) => a - b);
  return {
    rps: (i / (last - begun)) * 1000,
    p50_ms: quantile(took_ms, 0.5),
    p99_ms: quantile(took_ms, 0.99),
    cpu_us: (user + system) / i,
  };
}

/** The CPU that single calls take, collecting rubbish included: on a busy machine waiting for a core is not counted. */
export function cpuTimed(work, seconds) {
  const took_ms = [];
  const until = performance.now() + seconds * 1000;
  for (let i = 0; performance.now() < until; i += 1) {
    const before = process.cpuUsage();
    answer = work(i);
    const { user, system } = process.cpuUsage(before);
    took_ms.push((user + system) / 1000);
  }
  took_ms.sort((a, b) => a - b);
  return { cpu_p50_ms: quantile(took_ms, 0.5), cpu_p99_ms: quantile(took_ms, 0.99) };
}

/** The last answer, so that the compiler cannot leave out making it. */
export let answer;

/**
 * Each side warmed up, then all in turn. Answers the rounds of each. Rubbish is not collected in between: sweeping a
 * gigabyte afterwards took half of the next round's CPU.
 */
export function inTurn(sides, { rounds, seconds }) {
  const measured = sides.map(() => []);
  for (const { work, calls } of sides) timed(work, seconds, calls);
  for (let round = 0; round < rounds; round += 1) {
    sides.forEach(({ work, calls }, side) => {
      measured[side].push(timed(work, seconds, calls));
    });
  }
  return measured;
}

/** For a profile: how old the process was when the work was warm, and when it ended. */
export function profiledAges(work, seconds) {
  timed(work, seconds);
  const from_ms = performance.now();
  timed(work, seconds);
  return { from_ms, to_ms: performance.now() };
}

/** What is really in use: rubbish is collected first. Columns of numbers lie outside the heap. */
export function memory_mb() {
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { used: (heapUsed + external) / 2 ** 20, rss: rss / 2 ** 20 };
}

/** Numbers from 0 up to 1, the same ones in every run. */
export function randomOf(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
