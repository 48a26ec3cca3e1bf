/** The highest line of an axis from zero, and what stands beside its lines: at most six, at 1, 2 or 5 and their tens. */
export function ticksTo(most: number, lines_max = 5): number[] {
  const rough = Math.max(1, most) / lines_max;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 2.5, 5, 10].map((times) => times * ten).find((one) => one >= rough) ?? rough);
  const whole = Number.isInteger(step) ? step : Math.ceil(step);
  return Array.from({ length: Math.ceil(Math.max(1, most) / whole) + 1 }, (_, line) => line * whole);
}

/** A line through values, each as far from the next; the highest is at the top. */
export function lineOf(values: readonly number[], { width, height, most }: Box): string {
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values
    .map((value, i) => `${i === 0 ? "M" : "L"}${round(i * step)} ${round(height - (value / (most || 1)) * height)}`)
    .join("");
}

/** What lies below that line. */
export const areaOf = (values: readonly number[], box: Box): string =>
  values.length === 0 ? "" : `${lineOf(values, box)}L${round(box.width)} ${box.height}L0 ${box.height}Z`;

interface Box {
  width: number;
  height: number;
  most: number;
}

const round = (number: number) => Math.round(number * 10) / 10;
