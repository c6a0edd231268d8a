import { anomaliesByScore, BASELINES } from '#libs/baselines';
import { type AnomalyEvent, detectSeries } from '#libs/detection';
import { type BenchmarkModelId } from './benchmark-models.types.js';
import { type BenchmarkLabel, type ChartColumns, type FoundAnomaly, type LabelFigures } from './benchmark.types.js';
import { columnsAt, rowsForChart } from './chart-rows.js';
import { labelFigures } from './label-figures.js';

export interface ModelRequest {
  model: BenchmarkModelId;
  timestamps: Float64Array;
  values: Float64Array;
  isCounter: boolean;
  /** 0: every row is a separate slot. */
  slotSeconds: number;
  /** IANA zone, for time of day and day of week. */
  timezone: string;
  labels: readonly BenchmarkLabel[];
}

export interface ModelResult {
  /** The first ones, up to a limit. */
  anomalies: FoundAnomaly[];
  anomaliesCount: number;
  /** Null without labels. */
  figures: LabelFigures | null;
  columns: ChartColumns;
}

/** Maximum number of stored rows of a series: as many as an answer may have. */
const MAX_CHART_ROWS = 20_000;
const MAX_ANOMALIES = 1000;
/**
 * The detector closes an anomaly after this many normal rows; alarms of other models that are nearer to each other are
 * combined.
 */
const CLOSING_ROWS = 5;

/** Runs one model on a series; the same code runs in a worker thread and in the calling one. */
export function runModel(request: ModelRequest): ModelResult {
  const { timestamps, labels } = request;
  const { anomalies, columns } = request.model === 'plumbline' ? byDetector(request) : byBaseline(request);
  return {
    anomalies: anomalies.slice(0, MAX_ANOMALIES),
    anomaliesCount: anomalies.length,
    figures: labels.length === 0 ? null : labelFigures(timestamps, anomalies, labels),
    columns: columnsAt(columns, rowsForChart(columns.values, MAX_CHART_ROWS)),
  };
}

interface Found {
  anomalies: FoundAnomaly[];
  columns: ChartColumns;
}

function byDetector({ timestamps, values, isCounter, slotSeconds, timezone }: ModelRequest): Found {
  const verdicts = detectSeries(timestamps, values, { type: isCounter ? 'counter' : 'gauge', slotSeconds, timezone });
  const { lower, upper, alarm: scores } = verdicts;
  return {
    anomalies: foundBy(verdicts.anomalies, timestamps.at(-1)!),
    columns: { timestamps, values: verdicts.values, lower, upper, scores },
  };
}

/** The latest state of each anomaly; an open one ends with the series. */
function foundBy(events: readonly AnomalyEvent[], end: number): FoundAnomaly[] {
  const byStart = new Map<number, AnomalyEvent>();
  for (const event of events) byStart.set(event.startTimestamp, event);
  return [...byStart.values()].map((event) => ({
    from: event.startTimestamp,
    until: event.endTimestamp ?? end,
    peakTimestamp: event.peakTimestamp,
    value: event.peakValue,
    score: event.score,
    kind: event.kind,
  }));
}

function byBaseline({ model, timestamps, values, isCounter, slotSeconds, timezone }: ModelRequest): Found {
  const baseline = BASELINES.find(({ id }) => id === model);
  if (!baseline) throw new RangeError(`There is no model ${model}`);
  // Rates like those of the detector, including its handling of resets and gaps.
  const analysed = isCounter
    ? detectSeries(timestamps, values, { type: 'counter', slotSeconds, timezone }).values
    : values;
  const { scores, threshold, lower, upper } = baseline.run(timestamps, analysed);
  const unknown = new Float64Array(timestamps.length).fill(NaN);
  const anomalies = anomaliesByScore(scores, threshold, CLOSING_ROWS).map(({ first, last }) => {
    let peak = first;
    for (let row = first; row <= last; row++) if (scores[row]! > scores[peak]!) peak = row;
    const value = analysed[peak]!;
    return {
      from: timestamps[first]!,
      until: timestamps[last]!,
      peakTimestamp: timestamps[peak]!,
      value,
      score: scores[peak]!,
      kind: value < usualBefore(analysed, first) ? ('dip' as const) : ('spike' as const),
    };
  });
  return {
    anomalies,
    columns: { timestamps, values: analysed, lower: lower ?? unknown, upper: upper ?? unknown, scores },
  };
}

/** Mean of a few values before a row: the methods do not report whether a value is too high or too low. */
function usualBefore(values: Float64Array, row: number): number {
  const before = values.subarray(Math.max(0, row - 10), row).filter(Number.isFinite);
  return before.reduce((sum, value) => sum + value, 0) / before.length;
}
