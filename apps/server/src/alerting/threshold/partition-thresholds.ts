import { historySeconds, type ThresholdEvent, ThresholdSeries, type ThresholdStart } from '#libs/alerting';
import { type ShardOutput } from '#libs/detection';
import { FoldedTarget } from '../../data/chips/chips-match.js';
import { UNKNOWN_SLOT_SECONDS } from '../../data/metric/anomaly-end.functions.js';
import { type CompiledThreshold, type ThresholdWatchersService } from './threshold-watchers.service.js';
import { type WatchedMetric } from './threshold.repository.js';
import { type Departure, type NewThresholdChange, type ThresholdBreach } from './threshold.types.js';

/** The queries that a partition needs from the database. */
export interface ThresholdSource {
  /** Metrics of the partition that the chips of a watcher select. */
  selected(watcher: CompiledThreshold): Promise<WatchedMetric[]>;
  metrics(ids: readonly number[]): Promise<WatchedMetric[]>;
  /** Stored points of a metric before a slot. */
  history(
    metricId: number,
    seconds: number,
    before: number,
  ): Promise<{ timestamps: Float64Array; values: Float64Array }>;
}

/** Slots of a metric for one watcher. */
interface Pair {
  metricId: number;
  watcher: CompiledThreshold;
  series: ThresholdSeries;
  resolutionSeconds: number;
  /** When the newest point arrived, by the clock of the log; for `no_data`. -Infinity: none was sent live. */
  arrivedAt: number;
  /** Points that wait until earlier ones are read; null: not waiting. */
  pending: WaitingPoint[] | null;
}

interface WaitingPoint {
  timestamp: number;
  value: number;
}

/** The state with which a pair continues. */
interface BreachStart extends ThresholdStart {
  breach: ThresholdBreach;
}

const NO_PAIRS: Pair[] = [];
/** Maximum time that reading earlier points may delay the partition at a time. */
const HISTORY_MS = 250;
const HISTORIES_AT_ONCE = 8;
/** Interval at which watchers that select by state or source are matched again, by the clock of the log. */
const SHIFTING_SECONDS = 60;
/** A slot is stored under its start; its point may have arrived at its end. */
const SLOT_SECONDS = 60;

/**
 * The thresholds of one partition: which watchers apply to which metrics, and the state of each pair. It first reads,
 * then evaluates points without waiting, so that a failed read has no partial effect.
 */
export class PartitionThresholds {
  /** Metrics that were matched with the chips of all watchers. */
  private readonly assigned = new Set<number>();
  /** By metric. */
  private readonly pairs = new Map<number, Pair[]>();
  private silencePairs: Pair[] = [];
  private waiting: Pair[] = [];
  /** Points that have waited and can be evaluated. */
  private released: { pair: Pair; points: WaitingPoint[] }[] = [];
  /** Pairs that were in breach when last present. For present pairs, their series has the state. */
  private readonly starts = new Map<string, BreachStart>();
  /** Breaches of metrics that have left their watcher, until they are returned. */
  private departed: (ThresholdBreach & { departure: Departure })[] = [];
  private readonly applied = new Map<number, CompiledThreshold>();
  private generation = -1;
  private shiftedAt = -Infinity;

  constructor(
    private readonly watchers: ThresholdWatchersService,
    private readonly source: ThresholdSource,
    breaches: readonly ThresholdBreach[],
  ) {
    for (const breach of breaches) {
      const { watcherId, metricId, threshold } = breach;
      this.starts.set(keyOf(watcherId, metricId), { isBreached: true, limit: threshold, breach });
    }
  }

  /** Number of pairs of a metric and a watcher. */
  get size(): number {
    let size = 0;
    for (const pairs of this.pairs.values()) size += pairs.length;
    return size;
  }

  /** Reads everything that evaluating the outputs needs. May be called again with the same ones. */
  async prepare(outputs: readonly ShardOutput[], orgOf: (metricId: number) => number | undefined): Promise<void> {
    if (this.generation !== this.watchers.generation) await this.takeOver();
    await this.assignNewMetrics(outputs, orgOf);
    await this.refreshSelections(outputs);
    await this.readHistories(outputs);
  }

  /** The changes caused by the outputs. Call it once for each, after `prepare`. */
  evaluate(outputs: readonly ShardOutput[]): NewThresholdChange[] {
    const changes = this.departures(outputs);
    for (const { pair, points } of this.released) {
      for (const { timestamp, value } of points) note(pair, pair.series.point(timestamp, value), changes);
    }
    this.released = [];
    for (const { kind, now, slots } of outputs) {
      if (kind === 'backfill' || kind === 'define') continue;
      for (let row = 0; row < slots.ids.length; row++) {
        const pairs = this.pairs.get(slots.ids[row]!);
        if (pairs === undefined) continue;
        for (const pair of pairs) evaluatePoint(pair, slots.timestamps[row]!, slots.values[row]!, now, changes);
      }
      if (kind === 'tick' && now !== undefined) this.tick(now, changes);
    }
    return changes;
  }

  /** They end at a time of the log; without one they wait. */
  private departures(outputs: readonly ShardOutput[]): NewThresholdChange[] {
    const now = outputs.findLast((output) => output.now !== undefined)?.now;
    if (now === undefined) return [];
    const changes = this.departed.map(({ orgId, watcherId, metricId, threshold, departure }) => ({
      ...{ orgId, watcherId, metricId, threshold, departure },
      type: 'recovered' as const,
      timestamp: Math.floor(now),
      value: null,
    }));
    this.departed = [];
    return changes;
  }

  private tick(now: number, changes: NewThresholdChange[]): void {
    for (const pair of this.silencePairs) note(pair, pair.series.tick(now, pair.arrivedAt), changes);
  }

  /** From now on, new and changed watchers apply to their metrics; deleted ones do not. */
  private async takeOver(): Promise<void> {
    const { generation, watchers } = this.watchers;
    for (const [id, watcher] of this.applied) {
      if (watchers.get(id) === watcher) continue;
      this.drop(watcher);
      this.applied.delete(id);
    }
    for (const watcher of watchers.values()) {
      if (this.applied.has(watcher.id)) continue;
      const selected = await this.source.selected(watcher);
      await this.closeDeselected(watcher, selected);
      for (const metric of selected) {
        // Others are found when they send; silence also concerns those that do not.
        if (watcher.rule.algorithm === 'no_data' || this.assigned.has(metric.id)) this.add(watcher, metric);
      }
      this.applied.set(watcher.id, watcher);
    }
    for (const [key, { breach }] of this.starts)
      if (!watchers.has(breach.watcherId)) this.close(key, breach, 'deleted');
    this.generation = generation;
  }

  /** Assigns new metrics to all watchers that select them. */
  private async assignNewMetrics(
    outputs: readonly ShardOutput[],
    orgOf: (metricId: number) => number | undefined,
  ): Promise<void> {
    const unknown = new Set<number>();
    for (const { kind, slots } of outputs) {
      if (kind === 'backfill') continue;
      for (const id of slots.ids) {
        if (this.assigned.has(id) || unknown.has(id)) continue;
        const orgId = orgOf(id);
        if (orgId !== undefined && this.watchers.ofOrg(orgId).length > 0) unknown.add(id);
      }
    }
    if (unknown.size === 0) return;
    for (const metric of await this.source.metrics([...unknown])) {
      const target = new FoldedTarget(metric);
      this.assigned.add(metric.id);
      for (const watcher of this.watchers.ofOrg(orgOf(metric.id)!)) {
        const isLive = this.applied.get(watcher.id) === watcher;
        if (isLive && watcher.covers(target) && !this.has(watcher, metric.id)) this.add(watcher, metric);
      }
    }
  }

  /** Repeats the queries whose results change over time. */
  private async refreshSelections(outputs: readonly ShardOutput[]): Promise<void> {
    const now = outputs.at(-1)?.now;
    if (now === undefined || now - this.shiftedAt < SHIFTING_SECONDS) return;
    await this.closeRemoved();
    for (const watcher of this.applied.values()) {
      if (!watcher.isShifting) continue;
      const selected = await this.source.selected(watcher);
      const ids = new Set(selected.map(({ id }) => id));
      this.drop(watcher, (pair) => !ids.has(pair.metricId));
      await this.closeDeselected(watcher, selected);
      for (const metric of selected) {
        const isWanted = watcher.rule.algorithm === 'no_data' || this.assigned.has(metric.id);
        if (isWanted && !this.has(watcher, metric.id)) this.add(watcher, metric);
      }
    }
    this.shiftedAt = now;
  }

  /** Breaches of metrics that a watcher no longer selects are over. */
  private async closeDeselected(watcher: CompiledThreshold, selected: readonly WatchedMetric[]): Promise<void> {
    const ids = new Set(selected.map(({ id }) => id));
    const left = [...this.starts].filter(
      ([, { breach }]) => breach.watcherId === watcher.id && !ids.has(breach.metricId),
    );
    if (left.length === 0) return;
    const existing = await this.existingMetrics(left.map(([, { breach }]) => breach.metricId));
    for (const [key, { breach }] of left) this.close(key, breach, existing.has(breach.metricId) ? 'left' : 'removed');
  }

  private async closeRemoved(): Promise<void> {
    const breached = new Set<number>();
    for (const [id, pairs] of this.pairs) if (pairs.some(({ series }) => series.isBreached)) breached.add(id);
    if (breached.size === 0) return;
    const existing = await this.existingMetrics([...breached]);
    for (const id of breached) {
      if (existing.has(id)) continue;
      // It is matched again when it returns.
      this.assigned.delete(id);
      for (const { watcher } of this.pairs.get(id) ?? NO_PAIRS) {
        this.drop(watcher, (pair) => pair.metricId === id);
        const key = keyOf(watcher.id, id);
        const start = this.starts.get(key);
        if (start !== undefined) this.close(key, start.breach, 'removed');
      }
    }
  }

  private async existingMetrics(ids: readonly number[]): Promise<Set<number>> {
    const metrics = await this.source.metrics(ids);
    return new Set(metrics.filter(({ state }) => state !== 'removed').map(({ id }) => id));
  }

  private close(key: string, breach: ThresholdBreach, departure: Departure): void {
    this.starts.delete(key);
    this.departed.push({ ...breach, departure });
  }

  private has(watcher: CompiledThreshold, metricId: number): boolean {
    return this.pairs.get(metricId)?.some((pair) => pair.watcher === watcher) ?? false;
  }

  private add(watcher: CompiledThreshold, metric: WatchedMetric): void {
    const key = keyOf(watcher.id, metric.id);
    const start = this.starts.get(key);
    this.starts.delete(key);
    const resolutionSeconds = metric.resolutionSeconds ?? UNKNOWN_SLOT_SECONDS;
    const pair: Pair = {
      metricId: metric.id,
      watcher,
      series: new ThresholdSeries(watcher.rule, start),
      resolutionSeconds,
      arrivedAt:
        metric.lastTimestamp === null || metric.isOnlyHistory ? -Infinity : metric.lastTimestamp + SLOT_SECONDS,
      pending: historySeconds(watcher.rule, resolutionSeconds) > 0 ? [] : null,
    };
    const present = this.pairs.get(metric.id);
    if (present === undefined) this.pairs.set(metric.id, [pair]);
    else present.push(pair);
    if (watcher.rule.algorithm === 'no_data') this.silencePairs.push(pair);
  }

  /** A pair in breach stays in breach, also under the next rule of the same watcher. */
  private drop(watcher: CompiledThreshold, isMeant: (pair: Pair) => boolean = () => true): void {
    const isDropped = (pair: Pair): boolean => pair.watcher === watcher && isMeant(pair);
    for (const [metricId, pairs] of this.pairs) {
      for (const pair of pairs) if (isDropped(pair)) this.keepStart(pair);
      if (pairs.some(isDropped)) {
        const left = pairs.filter((pair) => !isDropped(pair));
        if (left.length === 0) this.pairs.delete(metricId);
        else this.pairs.set(metricId, left);
      }
    }
    this.silencePairs = this.silencePairs.filter((pair) => !isDropped(pair));
    this.waiting = this.waiting.filter((pair) => !isDropped(pair));
  }

  private keepStart({ watcher, metricId, series }: Pair): void {
    const key = keyOf(watcher.id, metricId);
    if (!series.isBreached) return;
    const { orgId, rule } = watcher;
    const breach = { orgId, watcherId: watcher.id, metricId, threshold: series.limit ?? rule.value ?? 0 };
    this.starts.set(key, { isBreached: true, limit: series.limit, breach });
  }

  /** Windows and rows are filled with stored points, within a time limit; the others wait with their points. */
  private async readHistories(outputs: readonly ShardOutput[]): Promise<void> {
    const first = new Map<number, number>();
    for (const { kind, slots } of outputs) {
      if (kind === 'backfill' || kind === 'define') continue;
      slots.ids.forEach((id, row) => {
        const needs = this.pairs.get(id)?.some(({ pending }) => pending !== null) ?? false;
        if (needs && !first.has(id)) first.set(id, slots.timestamps[row]!);
      });
    }
    const wanted = new Set([...this.waiting.map(({ metricId }) => metricId), ...first.keys()]);
    const started = performance.now();
    const ids = [...wanted];
    while (ids.length > 0 && performance.now() - started < HISTORY_MS) {
      await Promise.all(ids.splice(0, HISTORIES_AT_ONCE).map((id) => this.readHistory(id, first.get(id))));
    }
    this.waiting = this.waiting.filter(({ pending }) => pending !== null && pending.length > 0);
    const known = new Set(this.waiting);
    for (const id of ids) {
      for (const pair of this.pairs.get(id) ?? NO_PAIRS) {
        if (pair.pending !== null && !known.has(pair)) this.waiting.push(pair);
      }
    }
  }

  private async readHistory(metricId: number, firstNow: number | undefined): Promise<void> {
    const pairs = (this.pairs.get(metricId) ?? NO_PAIRS).filter(({ pending }) => pending !== null);
    if (pairs.length === 0) return;
    const before = Math.min(...pairs.map(({ pending }) => pending![0]?.timestamp ?? firstNow ?? Infinity));
    if (before === Infinity) return;
    const seconds = Math.max(
      ...pairs.map(({ watcher, resolutionSeconds }) => historySeconds(watcher.rule, resolutionSeconds)),
    );
    const { timestamps, values } = await this.source.history(metricId, seconds, before);
    for (const pair of pairs) {
      timestamps.forEach((timestamp, row) => pair.series.seed(timestamp, values[row]!));
      if (pair.pending!.length > 0) this.released.push({ pair, points: pair.pending! });
      pair.pending = null;
    }
  }
}

function evaluatePoint(
  pair: Pair,
  timestamp: number,
  value: number,
  now: number | undefined,
  changes: NewThresholdChange[],
): void {
  pair.arrivedAt = Math.max(pair.arrivedAt, now ?? timestamp + SLOT_SECONDS);
  if (pair.pending !== null) {
    pair.pending.push({ timestamp, value });
    return;
  }
  note(pair, pair.series.point(timestamp, value), changes);
}

function note({ metricId, watcher }: Pair, event: ThresholdEvent | null, changes: NewThresholdChange[]): void {
  if (event === null) return;
  changes.push({
    orgId: watcher.orgId,
    watcherId: watcher.id,
    metricId,
    type: event.type,
    timestamp: event.timestamp,
    value: event.value,
    threshold: event.limit,
    departure: null,
  });
}

const keyOf = (watcherId: number, metricId: number): string => `${String(watcherId)}/${String(metricId)}`;
