import { Injectable } from '@nestjs/common';
import { anomalyText, type Reader, shownUnit } from '#libs/wording';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { type AnomalyDto } from '../../analysis/anomaly/anomaly.dto.js';
import { MatchService } from '../../teaching/match/match.service.js';
import { PatternListService } from '../../analysis/pattern/pattern-list.service.js';
import { YhatService } from '../../analysis/anomaly/yhat.service.js';
import { type MatchDto } from '../../teaching/match/match.dto.js';
import { type PatternDto } from '../../analysis/pattern/pattern.dto.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Window } from '../../common/window/window.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { TimeseriesService } from '../../data/metric/timeseries.service.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { DashboardWindowService } from './dashboard-window.service.js';
import { type AnnotationsDto, type PanelDto, type PanelValue } from './dto/dashboard.dto.js';
import { type DashboardParams } from './dto/dashboard.params.js';
import { answerPanel, milliseconds, millisecondsOrNull, type Panel } from './panel.js';

interface MetricRequest {
  caller: KnownCaller;
  metric: MetricRecord;
  window: Window;
  settings: SeriesSettings;
  limit: number;
}

/** Minimum number of points that are requested of a series; the newest of them are shown. */
const FEWEST_POINTS = 10;

/** Panels of a dashboard about one metric. */
@Injectable()
export class MetricDashboardService {
  private readonly panels: Readonly<Record<string, Panel<MetricRequest>>>;

  constructor(
    private readonly metrics: MetricService,
    private readonly series: TimeseriesService,
    private readonly ranges: YhatService,
    private readonly anomalies: AnomalyService,
    private readonly matches: MatchService,
    private readonly patterns: PatternListService,
    private readonly windows: DashboardWindowService,
  ) {
    this.panels = {
      timeseries: {
        columns: { time: 'timestamp_ms', value: 'number' },
        find: async (request) => ({ rows: await this.values(request), units: { value: request.metric.unit } }),
      },
      expected_range: {
        columns: {
          time: 'timestamp_ms',
          value: 'number',
          expected: 'number',
          lower: 'number',
          upper: 'number',
          anomalous: 'boolean',
        },
        find: (request) => this.range(request),
      },
      anomalies: {
        columns: {
          time: 'timestamp_ms',
          time_end: 'timestamp_ms',
          id: 'number',
          kind: 'string',
          state: 'string',
          score: 'number',
          severity: 'number',
          value: 'number',
          lower: 'number',
          upper: 'number',
        },
        find: async (request) => ({ rows: (await this.list(request)).map(rowOf) }),
      },
      matches: {
        columns: {
          time: 'timestamp_ms',
          id: 'number',
          pattern_id: 'number',
          label: 'string',
          similarity: 'number',
          value: 'number',
        },
        find: async (request) => ({
          rows: (await this.matched(request)).map((match) => ({
            time: milliseconds(match.timestamp),
            id: match.id,
            pattern_id: match.pattern_id,
            label: match.pattern_label,
            similarity: match.similarity,
            value: match.value,
          })),
          units: { value: request.metric.unit },
        }),
      },
      patterns: {
        columns: {
          id: 'number',
          label: 'string',
          origin: 'string',
          enabled: 'boolean',
          checks: 'number',
          matches: 'number',
          match_rate_percent: 'number',
          last_match: 'timestamp_ms',
        },
        find: async (request) => ({
          rows: (await this.patternsOf(request)).map((pattern) => ({
            id: pattern.id,
            label: pattern.label,
            origin: pattern.origin,
            enabled: pattern.enabled,
            checks: pattern.checks,
            matches: pattern.matches,
            match_rate_percent: pattern.match_rate_percent,
            last_match: millisecondsOrNull(pattern.last_match_timestamp),
          })),
          units: { match_rate_percent: '%' },
        }),
      },
      state: { columns: { name: 'string', value: 'string' }, find: (request) => this.state(request) },
    };
  }

  async annotations(caller: KnownCaller, ref: MetricRef, params: DashboardParams): Promise<AnnotationsDto> {
    const request = await this.requestOf(caller, ref, params);
    const now = this.windows.now();
    return {
      annotations: (await this.list(request)).map((anomaly) => ({
        id: anomaly.id!,
        time: milliseconds(anomaly.timestamp),
        timeEnd: millisecondsOrNull(anomaly.out_until_timestamp) ?? now,
        title: titleOf(anomaly, request.metric, { zone: caller.org.timezone, now: now / 1000 }),
        text: anomaly.explanation[0]?.text ?? '',
        tags: [anomaly.kind ?? '', anomaly.severity_label, anomaly.state].filter((tag) => tag !== ''),
      })),
    };
  }

  async matchAnnotations(caller: KnownCaller, ref: MetricRef, params: DashboardParams): Promise<AnnotationsDto> {
    const request = await this.requestOf(caller, ref, params);
    return {
      annotations: (await this.matched(request)).map((match) => ({
        id: match.id,
        time: milliseconds(match.timestamp),
        timeEnd: milliseconds(match.timestamp),
        title: `Match of ${match.metric}`,
        text: match.explanation,
        tags: ['match', match.pattern_label].filter((tag) => tag !== ''),
      })),
    };
  }

  async panel(caller: KnownCaller, ref: MetricRef, name: string, params: DashboardParams): Promise<PanelDto> {
    return answerPanel(this.panels, name, await this.requestOf(caller, ref, params));
  }

  private async requestOf(caller: KnownCaller, ref: MetricRef, params: DashboardParams): Promise<MetricRequest> {
    const metric = await this.metrics.resolve(caller.org.id, ref);
    const { window, settings } = await this.windows.resolve(caller.org, params);
    return { caller, metric, window, settings, limit: params.limit };
  }

  private async list({ caller, metric, window, settings, limit }: MetricRequest): Promise<AnomalyDto[]> {
    const page = { limit, offset: 0, order: 'newest' } as const;
    const query = { ...window, ...page };
    return (await this.anomalies.listOfMetricWith(settings, caller, { id: metric.id }, query)).anomalies;
  }

  private async matched({ caller, metric, window, limit }: MetricRequest): Promise<MatchDto[]> {
    const page = { limit, offset: 0 };
    return (await this.matches.listOfMetric(caller, metric.id, window, page)).matches;
  }

  /** All existing patterns, whatever the window, newest first. */
  private async patternsOf({ caller, metric, limit }: MetricRequest): Promise<PatternDto[]> {
    const page = { limit, offset: 0, order: 'newest' } as const;
    return (await this.patterns.listOfMetric(caller, { id: metric.id }, page)).patterns;
  }

  private async values({ metric, window, settings, limit }: MetricRequest): Promise<Record<string, PanelValue>[]> {
    const maxPoints = Math.max(FEWEST_POINTS, limit);
    const shape = { maxPoints, function: 'avg', envelope: false, fill: 'null' } as const;
    const { points, derivative } = await this.series.read(metric, { ...window, ...shape }, settings);
    return (derivative ?? points).slice(-limit).map(([time, value]) => ({ time: milliseconds(time), value }));
  }

  private async range({ metric, window, settings, limit }: MetricRequest): ReturnType<Panel<MetricRequest>['find']> {
    const included = { includeValue: true, includeMean: false, includeRealLower: false, includePeriods: false };
    const maxPoints = Math.max(FEWEST_POINTS, limit);
    const { yhat } = await this.ranges.read(metric, { ...window, maxPoints, ...included }, settings);
    const { unit } = metric;
    return {
      units: { value: unit, expected: unit, lower: unit, upper: unit },
      rows: yhat.slice(-limit).map((point) => ({
        time: milliseconds(point.timestamp),
        value: point.value,
        expected: point.yhat,
        lower: point.yhat_lower,
        upper: point.yhat_upper,
        anomalous: point.anomalous,
      })),
    };
  }

  private async state({ caller, metric, settings }: MetricRequest): ReturnType<Panel<MetricRequest>['find']> {
    const [record] = await this.metrics.describe(caller.org, [metric], settings);
    const { name, state, analysis_state, last_string, last_value, anomaly_count, open_anomaly_id } = record!;
    const values = { name, state, analysis_state, last_data: last_string, last_value, anomaly_count, open_anomaly_id };
    return {
      rows: Object.entries(values).map(([key, value]) => ({ name: key, value: value === null ? null : String(value) })),
    };
  }
}

function rowOf(anomaly: AnomalyDto): Record<string, PanelValue> {
  return {
    time: milliseconds(anomaly.timestamp),
    time_end: millisecondsOrNull(anomaly.out_until_timestamp),
    id: anomaly.id,
    kind: anomaly.kind,
    state: anomaly.state,
    score: anomaly.score,
    severity: anomaly.severity,
    value: anomaly.value,
    lower: anomaly.expected_range_lower,
    upper: anomaly.expected_range_upper,
  };
}

/** `web-1.cpu rose to 93 % (usual 20 to 40 %)` */
function titleOf(anomaly: AnomalyDto, metric: MetricRecord, reader: Reader): string {
  const { kind, value, peak_value: peakValue, expected_range_lower: lower, expected_range_upper: upper } = anomaly;
  if (kind === null) return `Anomaly of ${anomaly.metric}`;
  const { timestamp: start, out_until_timestamp: end } = anomaly;
  const described = { kind, value, peakValue, lower, upper, unit: shownUnit(metric), start, end };
  return `${anomaly.metric} ${anomalyText(described, reader)}`;
}
