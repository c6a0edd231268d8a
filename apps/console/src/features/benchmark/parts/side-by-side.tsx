import { Text, Title } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { memo, type PointerEvent, useMemo, useState } from 'react';
import { type ChartColumns } from '../../../components/chart/chart-props';
import { Sparkline } from '../../../components/sparkline';
import { timeText } from '../../../lib/time';
import { timeTicks } from '../../../lib/time-ticks';
import { useZone } from '../../../lib/zone';
import { texts } from '../benchmark.texts';
import { isRight, type ModelResult } from '../compare';
import { joined, type Label } from '../labels';
import classes from '../benchmark.module.css';

const HEIGHT = 52;
const LABEL_HEIGHT = 8;
const TICK_ROOM = 84;
/** Minimum width of a bar, pixels: a narrower bar is widened, so that it is visible. */
const NARROWEST = 2;

interface Window {
  from: number;
  until: number;
}
type Points = readonly (readonly [time: number, value: number | null])[];

/**
 * All models below each other on one time axis, with the labels below each line. The pointer shows the values of all
 * models at the same time.
 */
export function SideBySide({
  results,
  series,
  labels,
  window,
}: {
  results: readonly ModelResult[];
  series: ChartColumns;
  labels: readonly Label[];
  window: Window;
}) {
  const { ref, width } = useElementSize<HTMLUListElement>();
  const [at, setAt] = useState<number | null>(null);
  const points = useMemo<Points>(
    () =>
      series.timestamps
        .map((time, i) => [time, series.values[i] ?? null] as const)
        .filter(([time]) => time >= window.from && time <= window.until),
    [series, window.from, window.until],
  );
  const read = (event: PointerEvent): void => {
    const { left, width: wide } = event.currentTarget.getBoundingClientRect();
    const part = (event.clientX - left) / wide;
    setAt(part >= 0 && part <= 1 ? Math.round(window.from + part * (window.until - window.from)) : null);
  };
  return (
    <section aria-labelledby="side">
      <div className={classes.head}>
        <Title order={2} id="side">
          {texts.side}
        </Title>
        <Legend hasLabels={labels.length > 0} />
      </div>
      <Text size="xs" className="dim">
        {texts.sideNote}
      </Text>
      <Axis window={window} width={width} at={at} />
      <ul className={classes.rows} ref={ref} onPointerMove={read} onPointerLeave={() => setAt(null)}>
        {results.map((result) => (
          <Row
            key={result.id}
            result={result}
            points={points}
            labels={labels}
            window={window}
            width={Math.floor(width)}
            at={at}
          />
        ))}
      </ul>
    </section>
  );
}

function Row({
  result,
  points,
  labels,
  window,
  width,
  at,
}: {
  result: ModelResult;
  points: Points;
  labels: readonly Label[];
  window: Window;
  width: number;
  at: number | null;
}) {
  return (
    <li className={classes.rowOf}>
      <div className={classes.name}>
        <span>{result.name}</span>
        <span className="dim">{summaryOf(result, labels)}</span>
      </div>
      <div className={classes.line}>
        {width > 0 && <Picture result={result} points={points} labels={labels} window={window} width={width} />}
        {at !== null && (
          <span
            className={classes.hair}
            style={{ left: `${String(((at - window.from) / (window.until - window.from)) * 100)}%` }}
          />
        )}
      </div>
    </li>
  );
}

/** Scored with the current labels, even before the models have run with them. */
function summaryOf({ status, message, data, figures }: ModelResult, labels: readonly Label[]): string {
  if (status === 'failed') return texts.modelFailed(message);
  if (!data) return texts.notYet;
  if (labels.length === 0) return texts.anomalies(figures.anomalies ?? data.anomalies.length);
  const found = labels.filter((label) => data.anomalies.some((anomaly) => isRight(anomaly, [label]))).length;
  const falses = data.anomalies.filter((anomaly) => !isRight(anomaly, labels)).length;
  return texts.verdict(found, labels.length, falses);
}

const Picture = memo(function Picture({
  result: { name, data },
  points,
  labels,
  window,
  width,
}: {
  result: ModelResult;
  points: Points;
  labels: readonly Label[];
  window: Window;
  width: number;
}) {
  const x = (time: number): number => ((time - window.from) / (window.until - window.from)) * width;
  const isInside = ([from, until]: Label): boolean => from <= window.until && until >= window.from;
  const box = ([from, until]: Label) => {
    const left = Math.max(0, x(from));
    return { x: left, width: Math.max(NARROWEST, Math.min(width, x(until)) - left) };
  };
  const band = useMemo(() => bandOf(data, points), [data, points]);
  // Every picture includes the edges, so that all have the same axis.
  const line = useMemo(
    () => [[window.from, null] as const, ...points, [window.until, null] as const],
    [points, window.from, window.until],
  );
  const found = (data?.anomalies ?? []).filter(({ from, until }) => isInside([from, until]));
  return (
    <>
      <svg width={width} height={HEIGHT} className={classes.under} aria-hidden="true">
        {found.map(({ from, until }) => (
          <rect
            key={from}
            {...box([from, until])}
            y={0}
            height={HEIGHT - LABEL_HEIGHT}
            className={signOf({ from, until }, labels)}
          />
        ))}
      </svg>
      <Sparkline
        points={line}
        lower={band.lower}
        upper={band.upper}
        width={width}
        height={HEIGHT - LABEL_HEIGHT}
        label={texts.sideLabel(name)}
      />
      <svg width={width} height={HEIGHT} className={classes.over} aria-hidden="true">
        {found.map(({ from, until }) => {
          // At its start, because the delay is measured from there.
          const middle = Math.max(4, x(from));
          return labels.length > 0 && signOf({ from, until }, labels) === classes.false ? (
            <path key={from} d={`M${String(middle - 3)} 1l6 6m0-6l-6 6`} className={classes.cross} />
          ) : (
            <circle key={from} cx={middle} cy={4} r={3} className={classes.dot} />
          );
        })}
        {joined(labels)
          .filter(isInside)
          .map((label) => (
            <rect
              key={label[0]}
              {...box(label)}
              y={HEIGHT - LABEL_HEIGHT + 1}
              height={LABEL_HEIGHT - 2}
              className={
                data && !data.anomalies.some((anomaly) => isRight(anomaly, [label])) ? classes.missed : classes.known
              }
            />
          ))}
      </svg>
    </>
  );
});

const signOf = (anomaly: Window, labels: readonly Label[]): string | undefined =>
  labels.length === 0 || isRight(anomaly, labels) ? classes.right : classes.false;

/** The expected range at the points, limited to the range of the drawn values: all models have the same scale. */
function bandOf(data: ModelResult['data'], points: Points): { lower: (number | null)[]; upper: (number | null)[] } {
  if (!data?.range) return { lower: [], upper: [] };
  const { timestamps, lower, upper } = data.range;
  let low = Infinity;
  let high = -Infinity;
  for (const [, value] of points) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const rows = new Map(timestamps.map((time, row) => [time, row]));
  const cut = (edge: readonly (number | null)[], time: number): number | null => {
    const value = edge[rows.get(time) ?? -1] ?? null;
    return value === null ? null : Math.min(high, Math.max(low, value));
  };
  return {
    lower: [null, ...points.map(([time]) => cut(lower, time)), null],
    upper: [null, ...points.map(([time]) => cut(upper, time)), null],
  };
}

function Axis({ window, width, at }: { window: Window; width: number; at: number | null }) {
  const zone = useZone();
  const x = (time: number): number => ((time - window.from) / (window.until - window.from)) * width;
  const ticks = width === 0 ? [] : timeTicks(window, zone, Math.floor(width / TICK_ROOM));
  const shown = at === null ? ticks.filter((tick) => x(tick.at) > 16 && x(tick.at) < width - 16) : [];
  return (
    <svg className={classes.axis} viewBox={`0 0 ${String(Math.max(1, width))} 18`} aria-hidden="true">
      {[...shown, ...(at === null ? [] : [{ at, label: timeText(at, zone) }])].map((tick) => (
        <text key={tick.at} x={Math.max(40, Math.min(width - 40, x(tick.at)))} y={12} textAnchor="middle">
          {tick.label}
        </text>
      ))}
    </svg>
  );
}

function Legend({ hasLabels }: { hasLabels: boolean }) {
  return (
    <ul className={classes.legend}>
      <li>
        <svg width="10" height="10" aria-hidden="true">
          <circle cx={5} cy={5} r={3} className={classes.dot} />
        </svg>
        {hasLabels ? texts.signs.right : texts.signs.anomaly}
      </li>
      {hasLabels && (
        <>
          <li>
            <svg width="10" height="10" aria-hidden="true">
              <path d="M2 2l6 6m0-6l-6 6" className={classes.cross} />
            </svg>
            {texts.signs.false}
          </li>
          <li>
            <svg width="16" height="10" aria-hidden="true">
              <rect x={1} y={2} width={14} height={6} className={classes.known} />
            </svg>
            {texts.signs.label}
          </li>
          <li>
            <svg width="16" height="10" aria-hidden="true">
              <rect x={1} y={2} width={14} height={6} className={classes.missed} />
            </svg>
            {texts.signs.missed}
          </li>
        </>
      )}
    </ul>
  );
}
