import { Inject, Injectable } from '@nestjs/common';
import { derivedColumn } from '../../analysis/expectation/derived-column.functions.js';
import { ExpectationService } from '../../analysis/expectation/expectation.service.js';
import { Clock } from '../../common/clock.js';
import { MAX_PROGRESS_LAG_SECONDS } from '../../data/chips/metric-state-sql.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { SERIES_STORE, type SeriesColumns, type SeriesStore } from '../../platform/storage/storage.types.js';
import { type Deadline } from './deadline.js';
import { ExecutionError } from './prometheus.errors.js';
import { type AnomalyPeriod, SeriesRepository } from './series.repository.js';
import { holdOf, LOOKBACK_PACES, LOOKBACK_SECONDS, type Points, sampleAt } from './series-values.js';
import { type Series, type SeriesWindow, type StoredSeriesRow } from './series.types.js';

/** Maximum number of series that are read with one statement. */
const TOGETHER = 64;
/** Maximum number of points that are read together. */
const POINTS_TOGETHER = 200_000;
/** Maximum number of points that a request may make the service read. */
const MAX_READ_POINTS = 20_000_000;
/** Maximum number of metrics of a request whose detector is run again: two weeks of each are read and judged. */
export const MAX_REPLAYED = 200;
/** Number of concurrent replays: one request must not fill the queue of its organisation. */
const REPLAYS_AT_ONCE = 4;

/** The requested values of series. */
export interface ValuesWanted {
  /** Unix seconds, ascending: when the series are read. */
  times: Float64Array;
  /** Seconds that a value is valid; null: see `holdOf`. */
  lookbackSeconds: number | null;
}

/** Values of a series at the requested times, and the times of their points; NaN if there is none. */
export interface SampledSeries extends Points {
  series: Series;
}

/** Points of a series as they are stored. */
export interface SeriesPoints extends Points {
  series: Series;
}

/** Reads values of series, a few at a time: the memory is bounded, however many series are requested. */
@Injectable()
export class SeriesReaderService {
  constructor(
    @Inject(SERIES_STORE) private readonly store: SeriesStore,
    private readonly rows: SeriesRepository,
    private readonly expectations: ExpectationService,
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  /** @throws ExecutionError if it would be too much work */
  async *sample(
    orgId: number,
    found: readonly Series[],
    { times, lookbackSeconds }: ValuesWanted,
    deadline: Deadline,
  ): AsyncGenerator<SampledSeries[]> {
    if (found.length === 0 || times.length === 0) return;
    const settings = await this.orgs.getById(orgId);
    const [first, last] = [times[0]!, times.at(-1)!];
    const windowOf = (row: StoredSeriesRow) => {
      const seconds = lookbackSeconds ?? longestHold(row, settings);
      return { from: first - seconds, until: last };
    };
    const now = this.clock.now();
    // The record of a metric contains its newest value: no point is read for the current value.
    const isAtHand = ({ row, derived }: Series) =>
      (derived === null || derived === 'plumbline_anomalous') &&
      row.lastTimestamp !== null &&
      first >= row.lastTimestamp &&
      isNewest(row, now, settings);
    for await (const points of this.read(orgId, found, { windowOf, isAtHand, settings }, deadline)) {
      yield points.map(({ series, timestamps, values, slotSeconds }) => ({
        series,
        ...sampleAt({ timestamps, values }, times, holdOf(series.row, lookbackSeconds, slotSeconds)),
      }));
      deadline.check('evaluating the query');
    }
  }

  /** The stored points of a window, without its start. */
  async *listPoints(
    orgId: number,
    found: readonly Series[],
    { from, until }: SeriesWindow,
    deadline: Deadline,
  ): AsyncGenerator<SeriesPoints[]> {
    if (found.length === 0) return;
    const settings = await this.orgs.getById(orgId);
    const reading = { windowOf: () => ({ from, until }), isAtHand: () => false, settings };
    for await (const read of this.read(orgId, found, reading, deadline)) {
      yield read.map(({ series, timestamps, values }) => {
        const isInside = (_: number, i: number): boolean => timestamps[i]! > from && !Number.isNaN(values[i]!);
        return { series, timestamps: timestamps.filter(isInside), values: values.filter(isInside) };
      });
      deadline.check('evaluating the query');
    }
  }

  private async *read(
    orgId: number,
    found: readonly Series[],
    reading: Reading,
    deadline: Deadline,
  ): AsyncGenerator<ReadSeries[]> {
    refuseTooMuch(found, reading);
    const replayed = new Set(found.filter(isReplayed).map(({ row }) => row.id));
    if (replayed.size > MAX_REPLAYED) {
      throw new ExecutionError(
        `the expected range and the score of ${String(replayed.size)} metrics are asked for, at most ` +
          `${String(MAX_REPLAYED)} in one query; narrow it by metric="…" or a label (plumbline_anomalous has no such limit)`,
      );
    }
    const plain = found.filter((series) => !isReplayed(series));
    for (const some of inParts(plain, reading)) {
      deadline.check('reading points');
      yield await this.readStored(orgId, some, reading);
    }
    const byMetric = groupBy(found.filter(isReplayed), ({ row }) => row.id);
    const groups = [...byMetric.values()];
    for (let start = 0; start < groups.length; start += REPLAYS_AT_ONCE) {
      deadline.check('finding expected ranges');
      yield await this.replay(orgId, groups.slice(start, start + REPLAYS_AT_ONCE), reading);
    }
  }

  private async readStored(orgId: number, some: readonly Series[], reading: Reading): Promise<ReadSeries[]> {
    const { settings, windowOf, isAtHand } = reading;
    const slots = { tier1: settings.retention1ResolutionSeconds, tier2: settings.retention2ResolutionSeconds };
    const wanted = some.filter((series) => !isAtHand(series));
    const columns = await this.store.readMany(
      wanted.map(({ row }) => ({
        ...insideOf(row, windowOf(row)),
        id: row.id,
        resolutionSeconds: slots.tier1,
        function: row.type === 'counter' ? ('last' as const) : ('avg' as const),
        envelope: false,
        slots,
      })),
    );
    const read = new Map(wanted.map((series, i) => [series, columns[i]!]));
    const anomalies = await this.anomaliesOf(orgId, some, reading);
    return some.map((series) => {
      const points = pointsOf(series.row, read.get(series));
      if (series.derived === null) return { series, ...points };
      return { series, ...points, values: anomalousAt(points, anomalies.get(series.row.id) ?? [], settings) };
    });
  }

  private async anomaliesOf(
    orgId: number,
    some: readonly Series[],
    { windowOf }: Reading,
  ): Promise<Map<number, AnomalyPeriod[]>> {
    const judged = some.filter(({ derived }) => derived !== null);
    if (judged.length === 0) return new Map();
    const windows = judged.map(({ row }) => windowOf(row));
    const window = {
      from: Math.min(...windows.map(({ from }) => from)),
      until: Math.max(...windows.map(({ until }) => until)),
    };
    const periods = await this.rows.listAnomalies(
      orgId,
      window,
      judged.map(({ row }) => row.id),
    );
    return groupBy(periods, ({ metricId }) => metricId);
  }

  private async replay(
    orgId: number,
    groups: readonly Series[][],
    { settings, windowOf }: Reading,
  ): Promise<ReadSeries[]> {
    const records = await this.metrics.findByIds(
      orgId,
      groups.map(([series]) => series!.row.id),
    );
    const byId = new Map(records.map((record) => [record.id, record]));
    const read = await Promise.all(
      groups.map(async (group) => {
        const [{ row }] = group as [Series];
        const record = byId.get(row.id);
        // Erased a moment ago.
        if (!record) return [];
        const { from, until } = insideOf(row, windowOf(row));
        const expectation = await this.expectations.getExpectation(record, from, until, settings);
        const slotSeconds = expectation.resolutionSeconds;
        return group.map((series) => ({
          series,
          timestamps: expectation.timestamps,
          values: derivedColumn(expectation, series.derived!),
          slotSeconds,
        }));
      }),
    );
    return read.flat();
  }
}

interface Reading {
  /** The requested window of a metric; both ends inclusive. */
  windowOf: (row: StoredSeriesRow) => SeriesWindow;
  /** True if only its newest point is needed. */
  isAtHand: (series: Series) => boolean;
  settings: SeriesSettings;
}

interface ReadSeries extends SeriesPoints {
  /** Length of the longest slot among the points. */
  slotSeconds: number;
}

/** True for the range and the score, for which the detector must run again; anomalies are in their records. */
function isReplayed({ derived }: Series): boolean {
  return derived !== null && derived !== 'plumbline_anomalous';
}

/** A roll-up is also valid for three times its length. */
function longestHold({ resolutionSeconds }: StoredSeriesRow, settings: SeriesSettings): number {
  const pace = Math.max(resolutionSeconds ?? 0, settings.retention2ResolutionSeconds);
  return Math.max(LOOKBACK_SECONDS, LOOKBACK_PACES * pace);
}

/**
 * True if no newer point can be waiting to be written into the record: it would be too early, or would have been
 * written long ago.
 */
function isNewest(
  { lastTimestamp, resolutionSeconds }: StoredSeriesRow,
  now: number,
  { retention1ResolutionSeconds }: SeriesSettings,
): boolean {
  const pace = resolutionSeconds ?? retention1ResolutionSeconds;
  const age = now - (lastTimestamp ?? 0);
  return age <= pace || age > MAX_PROGRESS_LAG_SECONDS + pace;
}

/** The part of a window in which a metric can have points. */
function insideOf({ firstTimestamp, lastTimestamp }: StoredSeriesRow, { from, until }: SeriesWindow): SeriesWindow {
  return {
    from: Math.ceil(Math.max(from, firstTimestamp ?? from)),
    until: Math.floor(Math.min(until, lastTimestamp === null ? until : lastTimestamp + MAX_PROGRESS_LAG_SECONDS)),
  };
}

/** Expected number of points of a series in its window. */
function estimateOf(series: Series, { windowOf, isAtHand, settings }: Reading): number {
  if (isAtHand(series)) return 1;
  const { row } = series;
  const { from, until } = insideOf(row, windowOf(row));
  const pace = Math.max(row.resolutionSeconds ?? 0, settings.retention1ResolutionSeconds);
  return 1 + Math.max(0, until - from) / pace;
}

/** @throws ExecutionError */
function refuseTooMuch(found: readonly Series[], reading: Reading): void {
  const points = found.reduce((sum, series) => sum + estimateOf(series, reading), 0);
  if (points <= MAX_READ_POINTS) return;
  throw new ExecutionError(
    `query processing would load too many samples: about ${String(Math.round(points))}, at most ` +
      `${String(MAX_READ_POINTS)}; select fewer series or a shorter time`,
  );
}

/** Splits series into parts that are read together. */
function* inParts(found: readonly Series[], reading: Reading): Generator<Series[]> {
  let part: Series[] = [];
  let points = 0;
  let queries = 0;
  for (const series of found) {
    part.push(series);
    points += estimateOf(series, reading);
    if (!reading.isAtHand(series)) queries++;
    if (queries < TOGETHER && points < POINTS_TOGETHER && part.length < TOGETHER * TOGETHER) continue;
    yield part;
    [part, points, queries] = [[], 0, 0];
  }
  if (part.length > 0) yield part;
}

/** Without columns, the newest value, which is in the record. */
function pointsOf({ lastTimestamp, lastValue }: StoredSeriesRow, columns: SeriesColumns | undefined) {
  if (columns) {
    const { timestamps, values, longestSlotSeconds: slotSeconds } = columns;
    return { timestamps, values, slotSeconds };
  }
  const isKnown = lastTimestamp !== null && lastValue !== null;
  return {
    timestamps: Float64Array.from(isKnown ? [lastTimestamp] : []),
    values: Float64Array.from(isKnown ? [lastValue] : []),
    slotSeconds: 0,
  };
}

/** 1 at the points within an anomaly, otherwise 0. Points and periods are sorted by time. */
function anomalousAt(
  { timestamps, values }: Points,
  periods: readonly AnomalyPeriod[],
  { retention1ResolutionSeconds: slot }: SeriesSettings,
): Float64Array {
  let next = 0;
  return values.map((_, i) => {
    const time = timestamps[i]!;
    const isOver = (period: AnomalyPeriod): boolean => period.until !== null && period.until + slot <= time;
    while (next < periods.length && isOver(periods[next]!)) next++;
    const period = periods[next];
    return period !== undefined && period.from < time + slot ? 1 : 0;
  });
}

/** Groups items by key; the keys are in the order of their first item. */
function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
