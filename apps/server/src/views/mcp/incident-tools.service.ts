import { Injectable } from '@nestjs/common';
import { counted } from '#libs/wording';
import { ALERT_PATHS } from '../../alerting/channel/alert-paths.functions.js';
import { IncidentListService } from '../../analysis/incident-list/incident-list.service.js';
import { INCIDENT_STATES, type IncidentState } from '../../analysis/incident/incident.types.js';
import { Clock } from '../../common/clock.js';
import { Links } from '../../common/http/links.js';
import { defineTool } from './define-tool.js';
import { type McpTool, type ToolAnswer, type ToolCall, type WindowGiven } from './mcp-tool.types.js';
import { chipsOf, timeIn, windowOf } from './tool-input.js';
import { FILTER_INPUT, ID_INPUT, limitOf, listOf, WINDOW_INPUT } from './tool-schemas.js';
import { anomalyLine, anomalyView, incidentLine, incidentView, listText } from './tool-views.js';

const STANDARD_LIMIT = 10;
const MOST = 50;
const MAX_ANOMALIES = 20;
const MAX_MOMENTS = 40;

interface ListGiven extends WindowGiven {
  filter?: string[];
  state?: IncidentState[];
  severity_min?: number;
  order?: 'newest' | 'severity';
  limit?: number;
}

interface IncidentGiven {
  incident_id: number;
}

/** Tools of assistants for incidents: anomalies that started together. */
@Injectable()
export class IncidentToolsService {
  readonly tools: readonly McpTool[];

  constructor(
    private readonly incidents: IncidentListService,
    private readonly links: Links,
    private readonly clock: Clock,
  ) {
    this.tools = [
      defineTool<ListGiven>({
        name: 'list_incidents',
        title: 'List incidents',
        description:
          'Incidents (anomalies that began together) that overlap a window, default the last 24 hours, newest first, each with ' +
          'its likely origins.',
        properties: {
          ...WINDOW_INPUT,
          filter: FILTER_INPUT,
          state: listOf(INCIDENT_STATES, 'Only in these states; default both'),
          severity_min: { type: 'integer', minimum: 0, maximum: 100, description: 'Only from this severity on' },
          order: { type: 'string', enum: ['newest', 'severity'], description: 'Default newest' },
          limit: limitOf(STANDARD_LIMIT, MOST),
        },
        run: (call, given) => this.list(call, given),
      }),
      defineTool<IncidentGiven>({
        name: 'explain_incident',
        title: 'Explain an incident',
        description:
          'Where an incident probably began and why, its anomalies in the order in which they began, and its course.',
        properties: { incident_id: { ...ID_INPUT, description: 'Id from list_incidents' } },
        required: ['incident_id'],
        run: (call, given) => this.explain(call, given),
      }),
    ];
  }

  private async list({ caller }: ToolCall, given: ListGiven): Promise<ToolAnswer> {
    const { timezone } = caller.org;
    const { limit = STANDARD_LIMIT, order = 'newest', severity_min = 0, state } = given;
    const found = await this.incidents.list(caller, {
      ...windowOf(given, caller.org, this.clock.now()),
      ...{ limit, offset: 0, order, severity_min, state },
      chips: chipsOf(given.filter),
    });
    const views = found.incidents.map((incident) => incidentView(incident, timezone));
    const [from, until] = [timeIn(timezone, found.from), timeIn(timezone, found.until)];
    const heading = `${counted(found.total, 'incident')} from ${from} to ${until}.`;
    return {
      text: listText(heading, views.map(incidentLine), found.total),
      structured: { from, until, timezone, total: found.total, incidents: views },
    };
  }

  private async explain({ caller }: ToolCall, { incident_id: id }: IncidentGiven): Promise<ToolAnswer> {
    const { timezone: zone } = caller.org;
    const reader = { zone, now: this.clock.now() };
    const { incident, anomalies, timeline } = await this.incidents.find(caller, id);
    const view = incidentView(incident, zone);
    const first = anomalies.slice(0, MAX_ANOMALIES).map((anomaly) => anomalyView(anomaly, reader));
    const course = timeline.slice(0, MAX_MOMENTS).map(({ timestamp, metric, anomaly_id, what }) => {
      return { time: timeIn(zone, timestamp), what, metric, anomaly_id };
    });
    const url = this.links.console(ALERT_PATHS.incident(id));
    const origins = view.likely_origins.map(
      ({ metric, likelihood, reason }) => `Likely origin (${String(likelihood)}): ${metric}: ${reason}`,
    );
    return {
      text: [
        incidentLine(view),
        ...origins,
        listText('In the order in which they began:', first.map(anomalyLine), anomalies.length),
        url,
      ].join('\n'),
      structured: {
        incident: view,
        anomalies: first,
        timeline: course,
        timeline_total: timeline.length,
        url,
        timezone: zone,
      },
    };
  }
}
