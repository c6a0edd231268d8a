import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { MetricRegistryService } from '../metric/metric-registry.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { type QuotaPreviewDto, type TestedMetricDto, type TestMetricsDto } from './dto/test-metrics.dto.js';
import { TestSendRepository } from './test-sends.repository.js';
import { TestSendsService } from './test-sends.service.js';
import { type TestedMetric, type TestResult } from './test-result.js';

/** Returns the effect of sends in test mode, and whether their metrics would fit into the quota. */
@Injectable()
export class TestMetricsService {
  constructor(
    private readonly sends: TestSendsService,
    private readonly repository: TestSendRepository,
    private readonly registry: MetricRegistryService,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  async getTestMetrics(orgId: number): Promise<TestMetricsDto> {
    const result = await this.sends.getRecent(orgId);
    const { metrics, dropped, withoutValues } = result;
    return {
      metrics: metrics.map(({ name }) => name),
      ingest_count: metrics.length,
      dropped,
      drop_count: dropped.length,
      metrics_with_no_values: withoutValues,
      no_values_count: withoutValues.length,
      metric_details: Object.fromEntries(metrics.map((metric) => [metric.name, detailsOf(metric)])),
      quota_preview: await this.quotaPreview(orgId, result),
    };
  }

  /** Metrics whose points currently exceed the quota also count as new ones. */
  private async quotaPreview(orgId: number, { metrics, dropped }: TestResult): Promise<QuotaPreviewDto> {
    const wanted = new Set(metrics.map(({ name }) => name));
    for (const { metric, reason } of dropped) if (reason === 'over_quota') wanted.add(metric);
    const [known, used, { metricLimit }] = await Promise.all([
      this.registry.findIds(orgId, [...wanted]),
      this.repository.quotaUsed(orgId, this.clock.now()),
      this.orgs.getById(orgId),
    ]);
    const newCount = wanted.size - known.size;
    return {
      new_metrics_count: newCount,
      quota_used: used,
      metric_limit: metricLimit,
      fits: metricLimit === null || newCount === 0 || used + newCount <= metricLimit,
    };
  }
}

function detailsOf(metric: TestedMetric): TestedMetricDto {
  const { labels, type, source, points, lastValue, lastTimestamp, mergedPoints } = metric;
  return {
    ...{ labels, type, source, points },
    last_value: lastValue,
    last_timestamp: Math.floor(lastTimestamp),
    merged_points: mergedPoints,
  };
}
