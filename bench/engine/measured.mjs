// From the rounds of a measurement to what is said of it, with its targets.
import { median, rounded, spread } from "../figures.mjs";
import { profiledApart } from "./apart.mjs";

/** Long enough to be steady: every call is timed, and nothing but the machine is shared. */
export const round_s = 2;

/** Medians over the rounds of both sides, and what every line says. */
export function besideFloor({ workload, n, our_rounds, floor_rounds, rss_mb }) {
  const of = (rounds, field) => rounds.map((round) => round[field]);
  const [rps, floor_rps] = [our_rounds, floor_rounds].map((rounds) => median(of(rounds, "rps")));
  return {
    workload,
    n,
    concurrency: 1,
    rps: significant(rps),
    p50_ms: significant(median(of(our_rounds, "p50_ms"))),
    p99_ms: significant(median(of(our_rounds, "p99_ms"))),
    floor_rps: significant(floor_rps),
    ratio: significant(rps / floor_rps),
    rss_mb: rounded(rss_mb),
    cpu_us: significant(median(of(our_rounds, "cpu_us"))),
    rps_spread: spread(of(our_rounds, "rps"), digitsFor(rps)),
    floor_rps_spread: spread(of(floor_rounds, "rps"), digitsFor(floor_rps)),
  };
}

const digitsFor = (number) => (number < 10 ? 2 : 0);

export const significant = (number) => Number(number.toPrecision(3));

/** Held against its targets, `{ field: [least, most] }`. Without any it is only told. */
export function heldAgainst(line, targets) {
  const wanted = Object.entries(targets);
  const missed = wanted.filter(([field, [least, most]]) => line[field] < least || line[field] > most);
  const said = wanted.map(([field, [least, most]]) => `${field} ${least > 0 ? `≥ ${least}` : `≤ ${most}`}`);
  return {
    ...line,
    target: said.join(", ") || null,
    met: wanted.length === 0 ? null : missed.length === 0,
    ...(missed.length > 0 && { missed: missed.map(([field]) => `${field} ${line[field]}`).join(", ") }),
  };
}

/** Adds where the time goes when a target was missed, or when it was asked for. */
export async function withProfile(line, { profile }, module, options) {
  if (!profile && line.met !== false) return line;
  return { ...line, profile: await profiledApart(module, { ...options, only_profile: true }) };
}

export const least = (number) => [number, Number.POSITIVE_INFINITY];
export const most = (number) => [0, number];
