import { Injectable } from '@nestjs/common';
import { type CallerOrg } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { resolveWindow } from '../../common/window/window.js';
import { type Expectation } from '../expectation/expectation.types.js';
import { ExpectationService } from '../expectation/expectation.service.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { OrgService } from '../../people/org/org.service.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { AnomalyRepository } from './anomaly.repository.js';
import { type YhatParams } from './dto/anomaly.params.js';
import { type AnomalousPeriodDto, type YhatDto, type YhatPointDto } from './dto/yhat.dto.js';

const MAX_PERIODS = 1000;

/** A request for an expected range. Times in Unix seconds, bounds inclusive. */
export interface YhatRequest {
  from: number;
  until: number;
  maxPoints: number;
  includeValue: boolean;
  includeMean: boolean;
  includeRealLower: boolean;
  includePeriods: boolean;
}

/** The expected range of a metric, and when values left it. */
@Injectable()
export class YhatService {
  constructor(
    private readonly expectations: ExpectationService,
    private readonly anomalies: AnomalyRepository,
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  async find(org: CallerOrg, ref: MetricRef, query: YhatParams): Promise<YhatDto> {
    const variables = await this.orgs.getAnalysisVariables(org.id);
    const window = resolveWindow(query, this.clock.now(), variables.retention2PeriodSeconds);
    const metric = await this.metrics.resolve(org.id, ref);
    return this.read(
      metric,
      {
        ...window,
        maxPoints: query.max_points,
        includeValue: query.include_value,
        includeMean: query.include_mean,
        includeRealLower: query.include_yhat_real_lower,
        includePeriods: query.include_anomalous_periods,
      },
      { ...variables, timezone: org.timezone },
    );
  }

  /**
   * For areas that already have a metric and a valid window.
   * @param settings of the organisation
   */
  async read(metric: MetricRecord, request: YhatRequest, settings: SeriesSettings): Promise<YhatDto> {
    const { from, until } = request;
    const expectation = await this.expectations.getExpectation(metric, from, until, settings);
    const isExcluded = metric.excludedTimestamp !== null;
    const available = !isExcluded && expectation.yhat.some((value) => Number.isFinite(value));
    const slot = expectation.resolutionSeconds;
    const resolution = Math.max(1, Math.ceil((until - from + 1) / (request.maxPoints * slot))) * slot;
    return {
      metric: metric.name,
      metric_id: metric.id,
      from,
      until,
      resolution_seconds: resolution,
      available,
      reason: available ? null : isExcluded ? 'excluded' : 'not_enough_data',
      yhat: available ? pointsOf(expectation, resolution, request) : [],
      anomalous_periods: request.includePeriods ? await this.periods(metric, from, until) : [],
    };
  }

  private async periods(metric: MetricRecord, from: number, until: number): Promise<AnomalousPeriodDto[]> {
    const { anomalies } = await this.anomalies.list(
      metric.orgId,
      { metricId: metric.id, window: { from, until } },
      { order: 'oldest', limit: MAX_PERIODS, offset: 0 },
      this.clock.now(),
    );
    return anomalies.flatMap(({ id, startTimestamp, endTimestamp }) =>
      id === null ? [] : [{ from: startTimestamp, until: endTimestamp, anomaly_id: id }],
    );
  }
}

/** Slots combined into points of `resolution` seconds: means of values, the highest score, anomalous if one slot is. */
function pointsOf(expectation: Expectation, resolution: number, request: YhatRequest): YhatPointDto[] {
  const { timestamps, values, means, yhat, lower, upper, scores, anomalous, hasBeenNegative } = expectation;
  const points: YhatPointDto[] = [];
  for (let first = 0, end: number; first < timestamps.length; first = end) {
    const start = Math.floor(timestamps[first]! / resolution) * resolution;
    end = first + 1;
    while (end < timestamps.length && timestamps[end]! < start + resolution) end++;
    // Like a time series: a point belongs to the window if its slot starts there.
    if (start < request.from) continue;
    const lowerEdge = meanOf(lower, first, end);
    const realLower = lowerEdge === null || hasBeenNegative ? lowerEdge : Math.max(0, lowerEdge);
    points.push({
      timestamp: start,
      yhat: meanOf(yhat, first, end),
      yhat_lower: lowerEdge,
      yhat_upper: meanOf(upper, first, end),
      yhat_real_lower: request.includeRealLower ? realLower : null,
      value: request.includeValue ? meanOf(values, first, end) : null,
      mean: request.includeMean ? meanOf(means, first, end) : null,
      score: highestOf(scores, first, end),
      anomalous: anomalous.subarray(first, end).includes(1),
    });
  }
  return points;
}

/** Mean of the finite values of a range of rows; null if there is none. */
function meanOf(column: Float64Array, first: number, end: number): number | null {
  let sum = 0;
  let count = 0;
  for (let row = first; row < end; row++) {
    const value = column[row]!;
    if (!Number.isFinite(value)) continue;
    sum += value;
    count++;
  }
  return count === 0 ? null : sum / count;
}

function highestOf(column: Float64Array, first: number, end: number): number | null {
  let highest: number | null = null;
  for (let row = first; row < end; row++) {
    const value = column[row]!;
    if (Number.isFinite(value) && (highest === null || value > highest)) highest = value;
  }
  return highest;
}
