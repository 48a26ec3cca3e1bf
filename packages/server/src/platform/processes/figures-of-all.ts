import { AggregatorRegistry } from "prom-client";

/** One metric of one process, as prom-client tells it. */
interface Figure {
  name: string;
  type: string | number;
  values: readonly { labels: object }[];
}

/** What one process tells of itself. */
export type Figures = readonly Figure[];

/**
 * Sums up what the processes of a service tell. What was counted by one that has ended stays in the sums, as far as it was
 * heard of: a sum that falls would look like a counter that began anew, and all of it as if it had just happened.
 */
export class FiguresOfAll {
  private of_gone: Figures = [];
  private readonly latest = new Map<number, Figures>();

  heard(number: number, figures: Figures): void {
    this.latest.set(number, figures);
  }

  ended(number: number): void {
    const counted = (this.latest.get(number) ?? []).filter(isCounted);
    this.latest.delete(number);
    this.of_gone = [...this.of_gone, ...counted];
  }

  /** In Prometheus' text format. */
  async text(): Promise<string> {
    this.of_gone = await summed([this.of_gone]).getMetricsAsJSON();
    return summed([this.of_gone, ...this.latest.values()]).metrics();
  }
}

/** What has a process as a label begins anew with the next one of that number, which is a series of its own. */
const isCounted = ({ type, values }: Figure) =>
  (type === "counter" || type === "histogram") && !values.some(({ labels }) => "process" in labels);

/** What each process tells for itself has its number as a label, so that nothing but what belongs together is added up. */
const summed = (all: readonly Figures[]) =>
  AggregatorRegistry.aggregate(all.map((figures) => figures.map((figure) => ({ ...figure, aggregator: "sum" }))));
