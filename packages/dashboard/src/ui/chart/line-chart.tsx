import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import styles from "./chart.module.css";
import { areaOf, lineOf, ticksTo } from "./scale.js";

export interface Series {
  name: string;
  values: readonly number[];
  /** What stands beside the value of a place. */
  note?: (place: number) => string;
}

interface LineChartProps {
  label: string;
  /** Below the axis, a place each. */
  places: readonly string[];
  /** A place in full, as the tooltip says it. */
  placeWords: (place: number) => string;
  /** The first with the area below it, the second dashed. */
  series: readonly Series[];
  count: (value: number) => string;
}

const height = 232;
const left = 42;
const below = 24;
const label_width = 92;

/** Lines over time. By pointer or arrow keys one goes through its places, and hears them. */
export function LineChart({ label, places, placeWords, series, count }: LineChartProps) {
  const [frame, width] = useWidth();
  const [at, setAt] = useState<number | null>(null);
  const last = places.length - 1;
  const plot = { width: Math.max(0, width - left - 12), height };
  const ticks = ticksTo(Math.max(...series.flatMap(({ values }) => values)));
  const box = { ...plot, most: ticks.at(-1) ?? 1 };
  const xOf = (place: number) => (last > 0 ? (place / last) * plot.width : 0);
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - left;
    setAt(Math.min(last, Math.max(0, Math.round((x / plot.width) * last))));
  };
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last };
    const step = steps[event.key];
    if (event.key === "Escape") setAt(null);
    if (step === undefined) return;
    event.preventDefault();
    setAt((now) => Math.min(last, Math.max(0, (now ?? last) + (now === null ? 0 : step))));
  };
  const said = (place: number) =>
    [placeWords(place), ...series.map(({ name, values }) => `${name} ${count(values[place] ?? 0)}`)].join(", ");
  return (
    <div
      ref={frame}
      className={styles.chart}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at ?? last}
      aria-valuetext={said(at ?? last)}
      onKeyDown={press}
      onPointerMove={point}
      onPointerLeave={() => setAt(null)}
      onBlur={() => setAt(null)}
    >
      <svg aria-hidden="true" width={width} height={height + below + 8}>
        <g transform={`translate(${left} 8)`}>
          <Rules ticks={ticks} count={count} {...box} />
          {shownPlaces(places.length, plot.width).map((place) => (
            <text
              key={place}
              x={xOf(place)}
              y={height + 20}
              textAnchor={place === 0 ? "start" : place === last ? "end" : "middle"}
            >
              {places[place]}
            </text>
          ))}
          {series.map(({ name, values }, i) => (
            <g key={name} data-series={i}>
              {i === 0 && <path className={styles.area} d={areaOf(values, box)} />}
              <path className={styles.line} d={lineOf(values, box)} />
            </g>
          ))}
          {at !== null && <Here at={at} x={xOf(at)} series={series} {...box} />}
        </g>
      </svg>
      {at !== null && <Tip {...{ at, series, count, placeWords }} x={left + xOf(at)} flip={at > last / 2} />}
    </div>
  );
}

interface Plot {
  width: number;
  height: number;
  most: number;
}

const Rules = ({
  ticks,
  count,
  width,
  height,
  most,
}: Plot & { ticks: readonly number[]; count: LineChartProps["count"] }) =>
  ticks.map((tick) => {
    const y = height - (tick / most) * height;
    return (
      <g key={tick}>
        <line className={styles.rule} data-base={tick === 0 || undefined} x2={width} y1={y} y2={y} />
        <text x={-10} y={y + 4} textAnchor="end">
          {count(tick)}
        </text>
      </g>
    );
  });

const Here = ({ at, x, series, height, most }: Plot & { at: number; x: number; series: readonly Series[] }) => (
  <g>
    <line className={styles.here} x1={x} x2={x} y2={height} />
    {series.map(({ name, values }, i) => (
      <circle
        key={name}
        data-series={i}
        className={styles.dot}
        cx={x}
        cy={height - ((values[at] ?? 0) / most) * height}
        r={4}
      />
    ))}
  </g>
);

type TipProps = Pick<LineChartProps, "series" | "count" | "placeWords"> & { at: number; x: number; flip: boolean };

const Tip = ({ at, series, count, placeWords, x, flip }: TipProps) => (
  <div className={styles.tip} style={{ left: x }} data-flip={flip || undefined} aria-hidden="true">
    <p>{placeWords(at)}</p>
    <dl>
      {series.map(({ name, values, note }, i) => (
        <div key={name} data-series={i}>
          <dt>{name}</dt>
          <dd>
            {count(values[at] ?? 0)}
            {note?.(at)}
          </dd>
        </div>
      ))}
    </dl>
  </div>
);

/** Which places have room for their words: the last always does. */
function shownPlaces(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / label_width))));
  const last = count - 1;
  return Array.from({ length: count }, (_, place) => place).filter(
    (place) => place === last || (place % step === 0 && last - place >= step * 0.7),
  );
}

/** How wide what a component draws in is, also after it has changed. */
function useWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [frame, width] as const;
}

/** Which line is which: by colour and by dash. */
export const Legend = ({ series }: { series: readonly Pick<Series, "name">[] }) => (
  <ul className={styles.legend}>
    {series.map(({ name }, i) => (
      <li key={name} data-series={i}>
        <svg width="18" height="4" aria-hidden="true">
          <path className={styles.line} d="M0 2H18" />
        </svg>
        {name}
      </li>
    ))}
  </ul>
);
