import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { type AnomalyEvent } from '#libs/detection';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { DAY } from '../../common/time.js';
import { resolveWindow, type Window } from '../../common/window/window.js';
import { FairThread } from '../../common/workers/fair-thread.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { StoredSeriesService } from '../../analysis/expectation/stored-series.service.js';
import { type PreviewedAnomalyDto, type PreviewedDto, type TuningPreviewDto } from './dto/tuning.dto.js';
import { type PreviewTuningParams } from './dto/tuning.params.js';
import { type PreviewRequest, previewSeries, type PreviewResult } from './tuning-preview.js';
import { termsOf } from './tuning-terms.js';
import { TuningRepository } from './tuning.repository.js';
import { settingsOf } from './tuning.service.js';

/** The time of an anomaly of a metric; null: it continues. Unix seconds. */
export interface Span {
  metric: string;
  from: number;
  until: number | null;
}

const DEFAULT_SECONDS = 14 * DAY;
const LONGEST_SECONDS = 30 * DAY;
const MAX_METRICS = 50;
/** Maximum number of rows that are replayed for one preview, including the warm-up: some seconds of one thread. */
const MAX_ROWS = 600_000;
const MAX_SHOWN = 200;
/** Maximum number of waiting previews: of all organisations, and of one. */
const WAITING = 100;
const WAITING_PER_ORG = 10;

/** The effect of a tuning: replays the past with the current settings and with the proposed ones. */
@Injectable()
export class TuningPreviewService implements BeforeApplicationShutdown {
  private readonly thread: FairThread<PreviewRequest, PreviewResult>;

  constructor(
    private readonly tunings: TuningRepository,
    private readonly metrics: MetricService,
    private readonly stored: StoredSeriesService,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
    turns: FairQueueRegistry,
  ) {
    const parts = {
      entry: new URL('./preview-worker.js', import.meta.url),
      name: 'previews',
      handler: () => ({ handle: previewSeries }),
    };
    const queue = turns.open('previews', { slots: 1, waiting: WAITING, waitingPerParty: WAITING_PER_ORG });
    this.thread = new FairThread(parts, queue);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }

  /** @throws ValidationFailedError the window is too long; OverloadedError, ClientGoneError */
  async preview(caller: KnownCaller, params: PreviewTuningParams): Promise<TuningPreviewDto> {
    const orgId = caller.org.id;
    const org = await this.orgs.getById(orgId);
    const window = this.windowOf(params);
    const [count, ids] = await Promise.all([
      this.tunings.countMetrics(orgId, params.chips),
      this.tunings.metricIds(orgId, params.chips, MAX_METRICS),
    ]);
    const metrics = await this.metrics.findByIds(orgId, ids);
    const terms = await this.tunings.listTerms(orgId, ids);
    const after = termsOf(settingsOf(params));
    const before: PreviewedAnomalyDto[] = [];
    const proposed: PreviewedAnomalyDto[] = [];
    let rows = 0;
    let previewed = 0;
    for (const metric of metrics) {
      if (rows >= MAX_ROWS) break;
      const result = await this.thread.inTurn(`org:${String(orgId)}`, async () => {
        const series = await this.stored.readWithWarmUp(metric, org, window.from, window.until);
        rows += series.timestamps.length;
        const { type } = metric;
        const now = terms.get(metric.id) ?? {};
        return this.thread.call({ ...series, type, timezone: org.timezone, before: now, after, from: window.from });
      });
      previewed++;
      before.push(...result.before.map((event) => toDto(metric.name, event)));
      proposed.push(...result.after.map((event) => toDto(metric.name, event)));
    }
    return {
      metrics_count: count,
      previewed_count: previewed,
      before: summary(before, window),
      after: summary(proposed, window),
      gone: countMissing(before, proposed),
      added: countMissing(proposed, before),
      ...window,
    };
  }

  private windowOf({ from, until }: PreviewTuningParams): Window {
    const now = Math.floor(this.clock.now());
    const end = Math.min(until ?? now, now);
    return resolveWindow({ from: from ?? end - DEFAULT_SECONDS, until: end }, now, LONGEST_SECONDS);
  }
}

function toDto(metric: string, { startTimestamp, endTimestamp, kind, severity }: AnomalyEvent): PreviewedAnomalyDto {
  return { metric, from: startTimestamp, until: endTimestamp, kind, severity };
}

function summary(anomalies: readonly PreviewedAnomalyDto[], { from, until }: Window): PreviewedDto {
  return {
    anomalies_count: anomalies.length,
    per_day: Number(((anomalies.length * DAY) / (until - from)).toFixed(3)),
    anomalies: [...anomalies].sort((one, other) => other.from - one.from).slice(0, MAX_SHOWN),
  };
}

/**
 * Number of anomalies that overlap none of the other ones of their metric. Anomalies of the same metric never overlap
 * each other.
 */
export function countMissing(anomalies: readonly Span[], others: readonly Span[]): number {
  const byMetric = new Map<string, Span[]>();
  for (const other of others) {
    const known = byMetric.get(other.metric);
    if (known) known.push(other);
    else byMetric.set(other.metric, [other]);
  }
  for (const list of byMetric.values()) list.sort((one, other) => one.from - other.from);
  return anomalies.filter(({ metric, from, until }) => {
    const last = lastStartedBy(byMetric.get(metric) ?? [], until ?? Infinity);
    // The last one to start is also the last one to end.
    return last === undefined || (last.until ?? Infinity) < from;
  }).length;
}

/** The last one that has begun by a time, in a sorted list. */
function lastStartedBy(spans: readonly Span[], time: number): Span | undefined {
  let first = 0;
  let end = spans.length;
  while (first < end) {
    const middle = (first + end) >>> 1;
    if (spans[middle]!.from <= time) first = middle + 1;
    else end = middle;
  }
  return spans[first - 1];
}
