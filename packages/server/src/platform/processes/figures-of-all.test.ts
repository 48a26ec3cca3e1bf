import { expect, test } from "vitest";
import { createMetrics } from "../metrics.js";
import { FiguresOfAll } from "./figures-of-all.js";

const pool = { total: 3, idle: 1, waiting: 2 };
const told = (text: string, series: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")[1],
  );

test("counts of several processes are added up, and stay when one has ended; its connections go with it", async () => {
  const all = new FiguresOfAll();
  const counted = 'guerdon_request_duration_seconds_count{operation="health",status="2xx"}';
  const waiting = "guerdon_database_waiting";
  const tell = async (number: number, requests: number) => {
    const metrics = createMetrics({ number });
    for (let i = 0; i < requests; i += 1) metrics.answered("health", 200, 0.1);
    metrics.refused("not_found");
    all.heard(number, await metrics.figures(pool));
  };
  await tell(1, 10);
  await tell(2, 5);
  expect([told(await all.text(), counted), told(await all.text(), waiting)]).toEqual([15, 4]);
  all.ended(1);
  expect([told(await all.text(), counted), told(await all.text(), waiting)]).toEqual([15, 2]);
  await tell(1, 1);
  // It ends before anybody has heard of it.
  await tell(3, 0);
  all.ended(3);
  all.ended(4);
  const text = await all.text();
  expect([told(text, counted), told(text, waiting)]).toEqual([16, 4]);
  expect(told(text, 'guerdon_refusals_total{key="not_found"}')).toBe(4);
  expect(told(text, 'guerdon_request_duration_seconds_bucket{le="+Inf",operation="health",status="2xx"}')).toBe(16);
});

test("what each process tells of itself is told apart, and begins anew with the next of its number", async () => {
  const all = new FiguresOfAll();
  for (const number of [1, 2]) {
    const figures = [
      { name: "up", help: "", type: "counter", values: [{ value: 7, labels: { process: `${number}` } }] },
    ];
    all.heard(number, figures);
  }
  expect(told(await all.text(), 'up{process="1"}')).toBe(7);
  all.ended(1);
  const text = await all.text();
  expect([told(text, 'up{process="1"}'), told(text, 'up{process="2"}')]).toEqual([Number.NaN, 7]);
});
