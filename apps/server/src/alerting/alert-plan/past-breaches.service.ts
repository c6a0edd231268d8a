import { Injectable } from '@nestjs/common';
import { historySeconds, PLAN_TIMING, THRESHOLD_SEVERITY, type WatcherRule } from '#libs/alerting';
import { parseChip } from '../../data/chips/chips.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { StoredSeriesService } from '../../analysis/expectation/stored-series.service.js';
import { type Org } from '../../people/org/org.types.js';
import { AlertReplaysService } from './alert-replays.service.js';
import { PastAnomaliesRepository, type PastEvent } from './past-anomalies.repository.js';
import { MAX_REPLAYED } from './watcher-past.service.js';

/** Maximum numbers of metrics and points that are replayed for one preview: a second of one thread. */
const MAX_METRICS = 50;
const MAX_POINTS = 1_000_000;

/** The events of a threshold for stored points, by the code that judges live. */
@Injectable()
export class PastBreachesService {
  constructor(
    private readonly past: PastAnomaliesRepository,
    private readonly metrics: MetricService,
    private readonly stored: StoredSeriesService,
    private readonly replays: AlertReplaysService,
  ) {}

  /**
   * Oldest first; `isWhole`: all selected metrics were replayed, and all of their breaches are included. Unix seconds.
   * @throws OverloadedError, ClientGoneError
   */
  async find(
    org: Org,
    rule: WatcherRule,
    { from, until }: { from: number; until: number },
  ): Promise<{ breaches: PastEvent[]; isWhole: boolean }> {
    const { threshold } = rule;
    if (threshold === null) return { breaches: [], isWhole: true };
    const selected = await this.past.metrics(org.id, rule.chips.map(parseChip), MAX_METRICS + 1);
    const metrics = await this.metrics.findByIds(
      org.id,
      selected.slice(0, MAX_METRICS).map(({ id }) => id),
    );
    const breaches: PastEvent[] = [];
    let points = 0;
    let replayed = 0;
    for (const metric of metrics) {
      // The end of a backfill is not silence.
      if (threshold.algorithm === 'no_data' && metric.isOnlyHistory) {
        replayed++;
        continue;
      }
      if (points >= MAX_POINTS || breaches.length >= MAX_REPLAYED) break;
      const before = historySeconds(threshold, org.retention1ResolutionSeconds);
      const series = await this.stored.read(metric, org, from - before, until);
      points += series.timestamps.length;
      replayed++;
      const most = 2 * (MAX_REPLAYED - breaches.length);
      const { timestamps, values } = series;
      const asked = { rule: threshold, timestamps, values, from, until, most };
      for (const { type, timestamp, value, limit } of await this.replays.threshold(org.id, asked)) {
        const last = breaches.at(-1);
        if (type === 'recovered') {
          if (last?.metricId === metric.id && last.end === null) last.end = timestamp;
          continue;
        }
        breaches.push({ ...breachOf(breaches.length + 1, metric, timestamp, value), limit });
      }
    }
    const isWhole = replayed === selected.length && breaches.length < MAX_REPLAYED;
    return { breaches: together(breaches), isWhole };
  }
}

function breachOf(
  id: number,
  { id: metricId, name: metric, labels }: { id: number; name: string; labels: Record<string, string> },
  start: number,
  value: number,
): PastEvent {
  return {
    id,
    subjectId: id,
    anomalyId: null,
    metricId,
    metric,
    labels,
    kind: 'threshold',
    severity: THRESHOLD_SEVERITY,
    direction: null,
    start,
    end: null,
    isQuiet: false,
    isImported: false,
    acknowledgedAt: null,
    value,
  };
}

/** Breaches that begin while the first message is delayed are one, as they are live; a metric is in it once. */
function together(breaches: readonly PastEvent[]): PastEvent[] {
  const sorted = [...breaches].sort((a, b) => a.start - b.start || a.id - b.id);
  let subjectId = 0;
  let since = -Infinity;
  let last = -Infinity;
  let metrics = new Set<number>();
  return sorted.map((breach) => {
    const isLate = breach.start - last > PLAN_TIMING.growingSeconds;
    if (isLate || breach.start - since >= PLAN_TIMING.longestHoldSeconds || metrics.has(breach.metricId)) {
      subjectId = breach.id;
      since = breach.start;
      metrics = new Set();
    }
    last = breach.start;
    metrics.add(breach.metricId);
    return { ...breach, subjectId };
  });
}
