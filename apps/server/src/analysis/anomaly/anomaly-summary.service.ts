import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { type CallerOrg } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { relative } from '../../common/display/display.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { AnomalyRepository } from './anomaly.repository.js';
import { type AnomalySummaryAnswerDto, type DayCountDto } from './dto/anomaly-answers.dto.js';

/** How often a metric was anomalous. */
@Injectable()
export class AnomalySummaryService {
  constructor(
    private readonly anomalies: AnomalyRepository,
    private readonly metrics: MetricService,
    private readonly clock: Clock,
  ) {}

  /** `days`: today and the days before it, in the time zone of the organisation. */
  async getSummary(org: CallerOrg, ref: MetricRef, days: number): Promise<AnomalySummaryAnswerDto> {
    const now = this.clock.now();
    const metric = await this.metrics.resolve(org.id, ref);
    const counts = await this.anomalies.counts(org.id, metric.id, now);
    const firstDay = DateTime.fromSeconds(now, { zone: org.timezone })
      .startOf('day')
      .minus({ days: days - 1 });
    const rows = await this.anomalies.countsByKindAndDay(org.id, metric.id, firstDay.toSeconds(), org.timezone);
    const byKind: Record<string, number> = {};
    const byDay = new Map<string, number>();
    for (const { kind, date, count } of rows) {
      byKind[kind] = (byKind[kind] ?? 0) + count;
      byDay.set(date, (byDay.get(date) ?? 0) + count);
    }
    const perDay = Array.from({ length: days }, (_, day): DayCountDto => {
      const date = firstDay.plus({ days: day }).toFormat('yyyy-MM-dd');
      return { date, count: byDay.get(date) ?? 0 };
    });
    return {
      summary: {
        total: counts.total,
        open: counts.open,
        last_24h: counts.last24Hours,
        last_7d: counts.last7Days,
        last_30d: counts.last30Days,
        trained: counts.trained,
        positive: counts.positive,
        acknowledged: counts.acknowledged,
        first_timestamp: counts.firstTimestamp,
        last_timestamp: counts.lastTimestamp,
        last_string: relative(counts.lastTimestamp, now),
        longest_seconds: counts.longestSeconds === null ? null : Math.round(counts.longestSeconds),
        by_kind: byKind,
        per_day: perDay,
      },
    };
  }
}
