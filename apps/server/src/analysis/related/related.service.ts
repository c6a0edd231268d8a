import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { type CallerOrg } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { DAY } from '../../common/time.js';
import { resolveWindow, type Window } from '../../common/window/window.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { TimeseriesService } from '../../data/metric/timeseries.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { type AnalysisVariables } from '../../people/org/org.types.js';
import { correlate, type Movements, movementsOf } from './correlation.js';
import { type RelatedDto, type RelatedMetricDto, type RelationBasis } from './dto/related.dto.js';
import { type RelatedParams } from './dto/related.params.js';
import { RelatedRepository } from './related.repository.js';

/** Maximum number of compared metrics, for every request and any number of metrics. */
const MAX_CANDIDATES = 100;
const MAX_OF_INCIDENTS = 60;
/** Maximum number by label, and by name prefix. */
const MAX_OF_NAME = 40;
const HISTORY_SECONDS = 90 * DAY;
/** Maximum number of compared points of a series, from roll-ups if the window is long. */
const POINTS = 1500;
/** Maximum lag: a quarter of an hour, or this many slots if slots are longer or shorter. */
const MAX_LAG_SECONDS = 900;
const MIN_LAG_SLOTS = 15;
const MAX_LAG_SLOTS = 90;
/** Number of series that are read at a time. */
const BATCH_SIZE = 8;
/** A smaller coefficient alone is not evidence. */
const SIGNIFICANT_COEFFICIENT = 0.7;
/** A name alone is a hint. */
const NAME_STRENGTH = 0.2;

interface Series {
  resolutionSeconds: number;
  movements: Movements;
}

/** The metric itself, in the slots of the comparison: its own, and longer ones for slower metrics. */
class OwnSeries {
  private readonly bySlots = new Map<number, Promise<Series>>();

  constructor(
    readonly finest: Series,
    private readonly read: (resolutionSeconds: number) => Promise<Series>,
  ) {
    this.bySlots.set(finest.resolutionSeconds, Promise.resolve(finest));
  }

  /** In slots long enough to contain a point of a metric with this interval. */
  suiting(paceSeconds: number | null): Promise<Series> {
    const { resolutionSeconds: finest } = this.finest;
    const resolutionSeconds = Math.max(1, Math.ceil((paceSeconds ?? 0) / finest)) * finest;
    const series = this.bySlots.get(resolutionSeconds) ?? this.read(resolutionSeconds);
    this.bySlots.set(resolutionSeconds, series);
    return series;
  }
}

/** Metrics related to a metric: that move with it, or are anomalous with it. */
@Injectable()
export class RelatedService {
  constructor(
    private readonly candidates: RelatedRepository,
    private readonly metrics: MetricService,
    private readonly series: TimeseriesService,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  async find(org: CallerOrg, ref: MetricRef, query: RelatedParams): Promise<RelatedDto> {
    const variables = await this.orgs.getAnalysisVariables(org.id);
    const now = this.clock.now();
    const window = resolveWindow(query, now, variables.retention2PeriodSeconds);
    const metric = await this.metrics.resolve(org.id, ref);
    const shared = await this.candidates.sharedIncidents(org.id, metric.id, now - HISTORY_SECONDS, MAX_OF_INCIDENTS);
    const ids = new Set([...shared.keys(), ...(await this.named(org.id, metric))]);
    ids.delete(metric.id);
    const others = await this.metrics.findByIds(org.id, [...ids].slice(0, MAX_CANDIDATES));
    const own = new OwnSeries(await this.read(metric, window, variables), (resolutionSeconds) =>
      this.read(metric, window, variables, resolutionSeconds),
    );
    const related: RelatedMetricDto[] = [];
    for (let first = 0; first < others.length; first += BATCH_SIZE) {
      const some = others.slice(first, first + BATCH_SIZE);
      const found = await Promise.all(
        some.map(async (other) => {
          const mine = await own.suiting(other.resolutionSeconds);
          const series = await this.read(other, window, variables, mine.resolutionSeconds);
          return relationOf({ metric, other, own: mine, series, incidents: shared.get(other.id) ?? 0 });
        }),
      );
      related.push(...found);
      // Other requests get their turn in between.
      await setImmediate();
    }
    return {
      related: related
        .filter(({ basis }) => basis.length > 0)
        .sort((a, b) => b.strength - a.strength || a.metric_id - b.metric_id)
        .slice(0, query.limit),
    };
  }

  /** Metrics that share a label or a name prefix. */
  private async named(orgId: number, { displayName, labels }: MetricRecord): Promise<number[]> {
    const lists = await Promise.all([
      ...Object.entries(labels).map(([key, value]) => this.candidates.withLabel(orgId, { key, value }, MAX_OF_NAME)),
      ...beginningsOf(displayName).map((beginning) => this.candidates.withBeginning(orgId, beginning, MAX_OF_NAME)),
    ]);
    // Those that share most first.
    const counts = new Map<number, number>();
    for (const id of lists.flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
    return [...counts].sort(([a, countA], [b, countB]) => countB - countA || a - b).map(([id]) => id);
  }

  private async read(
    metric: MetricRecord,
    window: Window,
    variables: AnalysisVariables,
    resolutionSeconds?: number,
  ): Promise<Series> {
    const request = {
      ...window,
      resolutionSeconds,
      maxPoints: POINTS,
      function: 'avg',
      envelope: false,
      fill: 'null',
    } as const;
    const found = await this.series.read(metric, request, variables);
    const points = found.derivative ?? found.points;
    return { resolutionSeconds: found.resolution_seconds, movements: movementsOf(points.map(([, value]) => value)) };
  }
}

/** Of `web-1.eth0.tx`: `web-1.eth0.` and `web-1.` */
function beginningsOf(name: string): string[] {
  const parts = name.split('.');
  return parts
    .slice(1, 3)
    .map((_, place) => `${parts.slice(0, parts.length - 1 - place).join('.')}.`)
    .filter((text) => text !== '.');
}

function relationOf(facts: {
  metric: MetricRecord;
  other: MetricRecord;
  own: Series;
  series: Series;
  incidents: number;
}): RelatedMetricDto {
  const { metric, other, own, series, incidents } = facts;
  const slots = Math.ceil(MAX_LAG_SECONDS / own.resolutionSeconds);
  const mostLag = Math.max(MIN_LAG_SLOTS, Math.min(MAX_LAG_SLOTS, slots));
  const correlation = correlate(own.movements, series.movements, mostLag);
  const strengths: Record<RelationBasis, number> = {
    correlation:
      Math.abs(correlation?.coefficient ?? 0) >= SIGNIFICANT_COEFFICIENT ? Math.abs(correlation!.coefficient) : 0,
    incidents: incidents / (incidents + 1),
    name: sharesName(metric, other) ? NAME_STRENGTH : 0,
  };
  const basis = (['correlation', 'incidents', 'name'] as const).filter((one) => strengths[one] > 0);
  const strength = 1 - basis.reduce((rest, one) => rest * (1 - strengths[one]), 1);
  return {
    metric: other.name,
    metric_id: other.id,
    strength: round(strength),
    coefficient: correlation === null ? null : round(correlation.coefficient),
    lag_seconds: (correlation?.lag ?? 0) * own.resolutionSeconds,
    shared_incidents: incidents,
    basis,
  };
}

function sharesName(metric: MetricRecord, other: MetricRecord): boolean {
  const beginnings = beginningsOf(metric.displayName);
  return (
    Object.entries(metric.labels).some(([key, value]) => other.labels[key] === value) ||
    beginnings.some((beginning) => other.displayName.startsWith(beginning))
  );
}

const round = (value: number): number => Math.round(1000 * value) / 1000;
