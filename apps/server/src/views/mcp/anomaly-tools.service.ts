import { Injectable } from '@nestjs/common';
import { ANOMALY_KINDS, ANOMALY_STATES, type AnomalyKind, type AnomalyState, Permission } from '#libs/contracts';
import { counted, type Reader } from '#libs/wording';
import { ALERT_PATHS } from '../../alerting/channel/alert-paths.functions.js';
import { AnomalyVerdictsService } from '../../analysis/anomaly/anomaly-verdicts.service.js';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { ANOMALY_ORDERS, type AnomalyOrder } from '../../analysis/anomaly/anomaly.types.js';
import { TrainingService } from '../../teaching/training/training.service.js';
import { PermissionDeniedError } from '../../common/auth/auth.errors.js';
import { Clock } from '../../common/clock.js';
import { Links } from '../../common/http/links.js';
import { defineTool } from './define-tool.js';
import { type McpTool, type ToolAnswer, type ToolCall, type WindowGiven } from './mcp-tool.types.js';
import { chipsOf, metricOf, rounded, timeIn, windowOf } from './tool-input.js';
import { FILTER_INPUT, ID_INPUT, limitOf, listOf, METRIC_INPUT, WINDOW_INPUT } from './tool-schemas.js';
import { anomalyLine, anomalyRefLine, anomalyRefView, anomalyView, listText } from './tool-views.js';

const STANDARD_LIMIT = 10;
const MOST = 50;
/** Maximum number of listed items around an anomaly. */
const MAX_AROUND = 10;

interface ListGiven extends WindowGiven {
  metric?: string;
  filter?: string[];
  state?: AnomalyState[];
  kind?: AnomalyKind[];
  severity_min?: number;
  order?: AnomalyOrder;
  limit?: number;
  offset?: number;
}

interface AnomalyGiven {
  anomaly_id: number;
}

/** Tools of assistants for anomalies. */
@Injectable()
export class AnomalyToolsService {
  readonly tools: readonly McpTool[];

  constructor(
    private readonly anomalies: AnomalyService,
    private readonly verdicts: AnomalyVerdictsService,
    private readonly training: TrainingService,
    private readonly links: Links,
    private readonly clock: Clock,
  ) {
    this.tools = [
      defineTool<ListGiven>({
        name: 'list_anomalies',
        title: 'List anomalies',
        description:
          'Anomalies that overlap a window (default the last 24 hours), newest first. Use it first for questions such as ' +
          '"what is unusual?"; explain_anomaly then says why.',
        properties: {
          ...WINDOW_INPUT,
          metric: METRIC_INPUT,
          filter: FILTER_INPUT,
          state: listOf(ANOMALY_STATES, 'Only in these states; default all'),
          kind: listOf(ANOMALY_KINDS, 'Only of these kinds; default all'),
          severity_min: { type: 'integer', minimum: 0, maximum: 100, description: 'Only from this severity on' },
          order: { type: 'string', enum: [...ANOMALY_ORDERS], description: 'Default newest' },
          limit: limitOf(STANDARD_LIMIT, MOST),
          offset: {
            type: 'integer',
            minimum: 0,
            maximum: 100_000,
            description: 'Number of anomalies to skip, default 0',
          },
        },
        run: (call, given) => this.list(call, given),
      }),
      defineTool<AnomalyGiven>({
        name: 'explain_anomaly',
        title: 'Explain an anomaly',
        description:
          'Why an anomaly was opened, what was expected, what happened around it, its incident and the alerts that were sent.',
        properties: { anomaly_id: { ...ID_INPUT, description: 'Id from list_anomalies' } },
        required: ['anomaly_id'],
        run: (call, given) => this.explain(call, given),
      }),
      defineTool<AnomalyGiven>({
        name: 'preview_training',
        title: 'Preview a training',
        description:
          'What marking an anomaly as expected would have done to the last 30 days, and would do to its variants. Nothing is ' +
          'stored. Needs a token with the permission write, as training does.',
        properties: { anomaly_id: { ...ID_INPUT, description: 'Id from list_anomalies' } },
        required: ['anomaly_id'],
        run: (call, given) => this.preview(call, given),
      }),
    ];
  }

  private async list({ caller }: ToolCall, given: ListGiven): Promise<ToolAnswer> {
    const { limit = STANDARD_LIMIT, offset = 0, order = 'newest', severity_min = 0, state, kind } = given;
    const reader = this.readerOf(caller.org.timezone);
    const found = await this.anomalies.list(caller, {
      ...windowOf(given, caller.org, reader.now),
      ...{ limit, offset, order, severity_min, score_min: 0, state, kind },
      metric: given.metric === undefined ? undefined : metricOf(given.metric),
      chips: chipsOf(given.filter),
    });
    const views = found.anomalies.map((anomaly) => anomalyView(anomaly, reader));
    const [from, until] = [timeIn(reader.zone, found.from), timeIn(reader.zone, found.until)];
    const { total } = found;
    return {
      text: listText(
        `${counted(total, 'anomaly', 'anomalies')} from ${from} to ${until}.`,
        views.map(anomalyLine),
        total,
      ),
      structured: { from, until, timezone: reader.zone, total, anomalies: views },
    };
  }

  private async explain({ caller }: ToolCall, { anomaly_id: id }: AnomalyGiven): Promise<ToolAnswer> {
    const reader = this.readerOf(caller.org.timezone);
    const { anomaly, incident, related_anomalies, alerts } = await this.verdicts.accountAndFind(caller, id);
    const view = anomalyView(anomaly, reader);
    const reasons = anomaly.explanation.map(({ test, score, text }) => ({ test, score: rounded(score), text }));
    const related = related_anomalies.slice(0, MAX_AROUND).map((ref) => anomalyRefView(ref, reader.zone));
    const url = this.links.console(ALERT_PATHS.anomaly(id));
    return {
      text: [
        anomalyLine(view),
        ...(anomaly.close_reason === null ? [] : [`Closed: ${anomaly.close_reason}.`]),
        ...reasons.map(({ text }) => `Why: ${text}`),
        ...(anomaly.rarity_months === null ? [] : [`Expected once in ${String(anomaly.rarity_months)} months.`]),
        ...(incident === null ? [] : [`Incident #${String(incident.id)}: ${incident.title}`]),
        ...related.map((ref) => `At the same time: ${anomalyRefLine(ref)}`),
        `Alerts sent: ${String(alerts.length)}. Trainable: ${anomaly.training.trainable ? 'yes' : 'no'}.`,
        url,
      ].join('\n'),
      structured: {
        anomaly: { ...view, close_reason: anomaly.close_reason, rarity_months: anomaly.rarity_months },
        reasons,
        incident: incident === null ? null : { id: incident.id, title: incident.title, state: incident.state },
        related_anomalies: related,
        related_total: related_anomalies.length,
        alerts_sent: alerts.length,
        trainable: anomaly.training.trainable,
        picture: `plumbline://anomaly/${String(id)}/picture.png`,
        url,
        timezone: reader.zone,
      },
    };
  }

  private async preview({ caller }: ToolCall, { anomaly_id: id }: AnomalyGiven): Promise<ToolAnswer> {
    // Same permission as the training call, which alone reveals the shapes that would be stored.
    if ((caller.permissions & Permission.Write) === 0) throw new PermissionDeniedError('write');
    const { timezone } = caller.org;
    const wanted = { anomaly_id: id, expected: true, dry_run: true, label: '', learn: true, remember: false };
    const { preview } = await this.training.train(caller, wanted);
    const matched = preview?.would_match ?? [];
    const open = preview?.would_still_open ?? [];
    const examples = (preview?.examples ?? []).map(({ what, verdict, text }) => ({ what, verdict, text }));
    const days = preview?.days ?? 0;
    return {
      text: [
        `Of the last ${String(days)} days, ${counted(matched.length, 'anomaly', 'anomalies')} would have been a match and ` +
          `${String(open.length)} would still have opened. Nothing was stored.`,
        ...examples.map(({ what, text }) => `- ${what}: ${text}`),
      ].join('\n'),
      structured: {
        days,
        days_checked: preview?.nights_checked ?? 0,
        would_match: matched.slice(0, MAX_AROUND).map((ref) => {
          return { ...anomalyRefView(ref, timezone), similarity: rounded(ref.similarity) };
        }),
        would_match_total: matched.length,
        would_still_open: open.slice(0, MAX_AROUND).map((ref) => anomalyRefView(ref, timezone)),
        would_still_open_total: open.length,
        examples,
        timezone,
      },
    };
  }

  private readerOf(zone: string): Reader {
    return { zone, now: this.clock.now() };
  }
}
