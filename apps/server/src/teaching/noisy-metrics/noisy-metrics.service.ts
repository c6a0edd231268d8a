import { Injectable } from '@nestjs/common';
import { IANAZone } from 'luxon';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { DAY, MINUTE } from '../../common/time.js';
import { resolveWindow } from '../../common/window/window.js';
import { OrgService } from '../../people/org/org.service.js';
import { AlertHistoryService } from '../../analysis/alert-history/alert-history.service.js';
import { NoisyMetricsRepository } from './noisy-metrics.repository.js';
import { type NoisyMetricCounts, type NoisyAnomaly } from './noisy-metrics.types.js';
import { type NoisiestDto, type NoisyMetricDto } from './dto/noisy-metrics.dto.js';
import { type NoisiestParams } from './dto/noisy-metrics.params.js';
import { suggestionFor } from './suggestion.js';

const DEFAULT_SECONDS = 30 * DAY;
/** Maximum number of anomalies of a metric that a suggestion uses. */
const MAX_ANOMALIES = 200;

/** Finds the metrics that cause the most alerts, and suggests changes. */
@Injectable()
export class NoisyMetricsService {
  constructor(
    private readonly noisy: NoisyMetricsRepository,
    private readonly alerts: AlertHistoryService,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailedError the window is too long */
  async listNoisiest({ org }: KnownCaller, params: NoisiestParams): Promise<NoisiestDto> {
    const now = Math.floor(this.clock.now());
    const settings = await this.orgs.getAnalysisVariables(org.id);
    const until = Math.min(params.until ?? now, now);
    const from = params.from ?? until - Math.min(DEFAULT_SECONDS, settings.retention2PeriodSeconds);
    const window = resolveWindow({ from, until }, now, settings.retention2PeriodSeconds);
    const [counts, total] = await Promise.all([
      this.noisy.listNoisiest(org.id, window, params.chips, params.limit, now),
      this.noisy.countAnomalies(org.id, window),
    ]);
    const ids = counts.map(({ metricId }) => metricId);
    const [anomalies, alerts] = await Promise.all([
      this.noisy.listLatest(org.id, ids, window, MAX_ANOMALIES),
      this.alerts.countSent(org.id, window, ids),
    ]);
    const zone = IANAZone.create(org.timezone);
    const timeOfDay = (timestamp: number): number =>
      (((timestamp + zone.offset(timestamp * 1000) * MINUTE) % DAY) + DAY) % DAY;
    return {
      metrics: counts.map((metric) => {
        const own = anomalies.filter(({ metricId }) => metricId === metric.metricId);
        const counts = { ...metric, alerts: alerts.byMetric.get(metric.metricId) ?? 0 };
        return toDto(counts, own, total, settings.retention1ResolutionSeconds, timeOfDay);
      }),
      total_anomalies: total,
      total_alerts: alerts.total,
      ...window,
    };
  }
}

function toDto(
  {
    metricId,
    metric,
    anomalies,
    open,
    alerts,
    acknowledged,
    trained,
    confirmed,
  }: NoisyMetricCounts & { alerts: number },
  own: readonly NoisyAnomaly[],
  total: number,
  slotSeconds: number,
  timeOfDay: (timestamp: number) => number,
): NoisyMetricDto {
  const { kind, text, tuning } = suggestionFor(own, slotSeconds, timeOfDay);
  return {
    metric,
    metric_id: metricId,
    anomalies,
    open,
    alerts,
    acknowledged,
    trained,
    confirmed,
    share: total === 0 ? 0 : Number((anomalies / total).toFixed(4)),
    suggestion: kind,
    suggestion_text: text,
    suggested_tuning: tuning && { chips: [chipOf(metric)], ...tuning },
  };
}

/** The chip that selects this one metric. */
function chipOf(name: string): string {
  return `@name:"${name.replace(/["\\]/g, '\\$&')}"`;
}
