import { Injectable } from '@nestjs/common';
import { METRIC_STATES, type MetricState } from '#libs/contracts';
import { counted, shownUnit } from '#libs/wording';
import { YhatService } from '../../analysis/anomaly/yhat.service.js';
import { RelatedService } from '../../analysis/related/related.service.js';
import { Clock } from '../../common/clock.js';
import { HEAVY_REQUESTS } from '../../common/http/rate-limit.config.js';
import { RateLimits } from '../../common/http/rate-limits.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { TimeseriesService } from '../../data/metric/timeseries.service.js';
import { defineTool } from './define-tool.js';
import { type McpTool, type ToolAnswer, type ToolCall, type WindowGiven } from './mcp-tool.types.js';
import { SERIES_COLUMNS, seriesRows, summaryOfRows, tableOfRows } from './series-reading.js';
import { chipsOf, exactlyOneOf, metricOf, timeIn, windowOf } from './tool-input.js';
import { FILTER_INPUT, limitOf, listOf, METRIC_INPUT, WINDOW_INPUT } from './tool-schemas.js';
import { listText } from './tool-views.js';

const STANDARD_METRICS = 20;
const MAX_METRICS = 100;
const STANDARD_POINTS = 100;
const MAX_POINTS = 500;
const STANDARD_RELATED = 10;
const MAX_RELATED = 50;
const NOT_REMOVED = ['active', 'stale', 'inactive'] as const;

interface FindGiven {
  text?: string;
  filter?: string[];
  state?: MetricState[];
  limit?: number;
}

interface ReadGiven extends WindowGiven {
  metric: string;
  max_points?: number;
}

interface RelatedGiven extends WindowGiven {
  metric: string;
  limit?: number;
}

/** Tools of assistants for metrics and their values. */
@Injectable()
export class MetricToolsService {
  readonly tools: readonly McpTool[];

  constructor(
    private readonly metrics: MetricService,
    private readonly series: TimeseriesService,
    private readonly ranges: YhatService,
    private readonly related: RelatedService,
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {
    this.tools = [
      defineTool<FindGiven>({
        name: 'find_metrics',
        title: 'Find metrics',
        description:
          'Metrics by a part of their name (`text`) or by labels (`filter`), and labels that would narrow the list.',
        properties: {
          text: {
            type: 'string',
            minLength: 1,
            maxLength: 200,
            description: 'Text that the name contains; `*` stands for any run of characters',
          },
          filter: FILTER_INPUT,
          state: listOf(METRIC_STATES, 'Default all but removed ones'),
          limit: limitOf(STANDARD_METRICS, MAX_METRICS),
        },
        run: (call, given) => this.find(call, given),
      }),
      defineTool<ReadGiven>({
        name: 'read_series',
        title: 'Read a series with its expected range',
        description:
          'Values of a metric over a window (default the last 24 hours) beside what was expected, in at most `max_points` rows; ' +
          'the lowest and highest value of each row keep short peaks.',
        properties: {
          metric: METRIC_INPUT,
          ...WINDOW_INPUT,
          max_points: {
            type: 'integer',
            minimum: 10,
            maximum: MAX_POINTS,
            description: `Default ${String(STANDARD_POINTS)}`,
          },
        },
        required: ['metric'],
        run: (call, given) => this.read(call, given),
      }),
      defineTool<RelatedGiven>({
        name: 'related_metrics',
        title: 'List related metrics',
        description:
          'Metrics that move with a metric (with the lag), were anomalous in the same incidents, or share labels or the ' +
          'beginning of the name.',
        properties: { metric: METRIC_INPUT, ...WINDOW_INPUT, limit: limitOf(STANDARD_RELATED, MAX_RELATED) },
        required: ['metric'],
        run: (call, given) => this.relate(call, given),
      }),
    ];
  }

  private async find({ caller }: ToolCall, given: FindGiven): Promise<ToolAnswer> {
    const { text, filter, state = NOT_REMOVED, limit = STANDARD_METRICS } = given;
    exactlyOneOf({ text, filter });
    const query = { q: text, chips: chipsOf(filter), state, limit, offset: 0 };
    const { metrics, chips, total } = await this.metrics.search(caller.org, query);
    const found = metrics.map(({ id, name, labels, state: now }) => ({ id, name, labels, state: now }));
    const lines = found.map(({ id, name, state: now }) => `${name} (id:${String(id)}, ${now})`);
    return {
      text: listText(`${counted(total, 'metric')}.`, lines, total),
      structured: { total, metrics: found, narrow: chips },
    };
  }

  private async read({ caller }: ToolCall, given: ReadGiven): Promise<ToolAnswer> {
    const { org } = caller;
    const zone = org.timezone;
    const { max_points = STANDARD_POINTS } = given;
    const window = windowOf(given, org, this.clock.now());
    const metric = await this.metrics.resolve(org.id, metricOf(given.metric), 'metric');
    const ref = { id: metric.id };
    const shape = { max_points, function: 'avg', envelope: true, fill: 'null' } as const;
    const series = await this.series.find(org, ref, { ...window, ...shape });
    const included = { include_value: false, include_mean: false, include_yhat_real_lower: false };
    const range = await this.ranges.find(org, ref, {
      ...{ from: series.from, until: series.until, max_points },
      ...included,
      include_anomalous_periods: true,
    });
    const rows = seriesRows(series, range, zone);
    const summary = summaryOfRows(rows);
    const unit = shownUnit(metric);
    const [from, until] = [timeIn(zone, series.from), timeIn(zone, series.until)];
    const anomalies = range.anomalous_periods.slice(-STANDARD_POINTS).map((period) => {
      return { id: period.anomaly_id, from: timeIn(zone, period.from), until: timeIn(zone, period.until) };
    });
    const lines = [
      `${metric.name}${unit === null ? '' : ` in ${unit}`} from ${from} to ${until}, a row for each ${String(series.resolution_seconds)} s.`,
      range.available ? null : `There is no expected range: ${range.reason ?? 'unknown'}.`,
      anomalies.length === 0
        ? 'No anomalies.'
        : `Anomalies: ${anomalies.map(({ id }) => `#${String(id)}`).join(', ')}.`,
      tableOfRows(rows),
    ];
    return {
      text: lines.filter((line) => line !== null).join('\n'),
      structured: {
        ...{ metric: metric.name, metric_id: metric.id, unit, from, until, timezone: zone },
        resolution_seconds: series.resolution_seconds,
        expected_available: range.available,
        expected_reason: range.reason,
        summary,
        columns: SERIES_COLUMNS,
        rows,
        anomalies,
        picture: `plumbline://metric/id:${String(metric.id)}/picture.png`,
      },
    };
  }

  private async relate({ caller, limitKey }: ToolCall, given: RelatedGiven): Promise<ToolAnswer> {
    const { org } = caller;
    const { limit = STANDARD_RELATED } = given;
    const query = { ...windowOf(given, org, this.clock.now()), limit };
    const ref = metricOf(given.metric);
    await this.limits.consume(HEAVY_REQUESTS, limitKey);
    const { related } = await this.related.find(org, ref, query);
    const lines = related.map(({ metric, strength, lag_seconds: lag, basis }) => {
      const when = lag === 0 ? '' : lag > 0 ? `, ${String(lag)} s later` : `, ${String(-lag)} s earlier`;
      return `${metric}: strength ${String(strength)} (${basis.join(', ')}${when})`;
    });
    return {
      text: listText(`${counted(related.length, 'related metric')}.`, lines, related.length),
      structured: { related },
    };
  }
}
