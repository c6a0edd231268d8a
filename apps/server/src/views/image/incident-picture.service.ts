import { Injectable, StreamableFile } from '@nestjs/common';
import { multiplesHeight, multiplesRows, type MultiplesRow } from '#libs/charts/model';
import { severityLabel } from '#libs/contracts';
import { type IncidentDto } from '../../analysis/incident/incident.dto.js';
import { IncidentService } from '../../analysis/incident/incident.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { type AnswerHead } from '../../common/http/answer.js';
import { HOUR } from '../../common/time.js';
import { resolveWindow, type Window } from '../../common/window/window.js';
import { toMetricRefDto } from '../../data/metric/metric-record.dto.js';
import { OrgService } from '../../people/org/org.service.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { ChartRenderer } from './chart-renderer.js';
import { setGraphPolicy } from './content-policy.js';
import {
  INCIDENT_DISPLAY,
  type IncidentDisplay,
  type IncidentGraphDto,
  type IncidentMetricDto,
} from './dto/incident-graph.dto.js';
import { type IncidentGraphParams } from './dto/incident-graph.params.js';
import { GraphDataService } from './graph-data.service.js';
import { type IncidentMember, IncidentMembersService } from './incident-members.service.js';
import { ALL_SHOWN, type GraphDisplay, toMetricChart } from './metric-chart.js';
import { refuseLargePicture } from './picture-area.js';
import { displayOf } from './picture-display.js';
import { PICTURE_TYPES } from './chart-request.js';

/** Maximum number of metrics in a picture, whatever its height: the expected range of each is replayed. */
const MAX_METRICS = 12;
/** The default height fits up to this many metrics. */
const USUAL_METRICS = 8;
/** Number of series that are read concurrently; series of other requests are read in between. */
const AT_ONCE = 3;
/** Limits of the time shown before the incident, which is otherwise as long as the incident. */
const MIN_AROUND = HOUR;
const MAX_AROUND = 12 * HOUR;

interface IncidentGraph {
  caller: KnownCaller;
  settings: SeriesSettings;
  window: Window;
  display: IncidentDisplay;
}

interface ReadMember {
  numbers: IncidentMetricDto;
  row: MultiplesRow;
}

/** Draws incidents: their metrics below each other, the likeliest origin first. */
@Injectable()
export class IncidentPictureService {
  constructor(
    private readonly incidents: IncidentService,
    private readonly members: IncidentMembersService,
    private readonly data: GraphDataService,
    private readonly orgs: OrgService,
    private readonly renderer: ChartRenderer,
    private readonly clock: Clock,
    private readonly config: ServerConfig,
  ) {}

  /** @throws IncidentNotFoundError, ValidationFailedError, OverloadedError */
  async graph(
    caller: KnownCaller,
    id: number,
    query: IncidentGraphParams,
    head: AnswerHead,
  ): Promise<StreamableFile | IncidentGraphDto> {
    const incident = await this.incidents.get(caller, id);
    const settings = { ...(await this.orgs.getAnalysisVariables(caller.org.id)), timezone: caller.org.timezone };
    const window = this.windowOf(incident, query, settings);
    const { format } = query;
    const height = query.height ?? multiplesHeight(Math.min(USUAL_METRICS, incident.metrics_count));
    if (format !== 'json') refuseLargePicture({ width: query.width, height }, format);
    const display = { ...displayOf(query, INCIDENT_DISPLAY), height };
    const graph = { caller, settings, window, display };
    const most = Math.min(MAX_METRICS, multiplesRows(height));
    const { members, more } = await this.members.list(caller, incident, most);
    const read = await this.read(graph, members);
    if (format === 'json') {
      const metrics = read.map(({ numbers }) => numbers);
      return { incident, from: window.from, until: window.until, metrics, more, display };
    }
    const multiples = {
      title: display.title === '' ? incident.title : display.title,
      timezone: caller.org.timezone,
      from: window.from,
      until: window.until,
      rows: read.map(({ row }) => row),
      more,
      theme: display.theme,
      width: display.width,
      height,
    };
    const picture = await this.renderer.render({ multiples, format }, caller.org.id);
    setGraphPolicy(head, this.config.frameAncestors);
    return new StreamableFile(picture, { type: PICTURE_TYPES[format], length: picture.length });
  }

  /** The requested window; by default the incident with an equally long time before it, and half of that after it. */
  private windowOf(
    { started_timestamp: start, ended_timestamp: end }: IncidentDto,
    { from, until }: IncidentGraphParams,
    { retention2PeriodSeconds }: SeriesSettings,
  ): Window {
    const now = Math.floor(this.clock.now());
    const last = end ?? now;
    const around = Math.max(MIN_AROUND, Math.min(MAX_AROUND, last - start));
    const usual = { from: Math.max(start - around, last - retention2PeriodSeconds), until: last + around / 2 };
    if (from === undefined && until === undefined) {
      return { from: usual.from, until: Math.min(now, Math.floor(usual.until)) };
    }
    return resolveWindow({ from: from ?? usual.from, until: until ?? usual.until }, now, retention2PeriodSeconds);
  }

  private async read(graph: IncidentGraph, members: readonly IncidentMember[]): Promise<ReadMember[]> {
    const read: ReadMember[] = [];
    for (let first = 0; first < members.length; first += AT_ONCE) {
      const some = members.slice(first, first + AT_ONCE);
      read.push(...(await Promise.all(some.map((member) => this.readOne(graph, member)))));
    }
    return read;
  }

  private async readOne(
    { settings, window, display }: IncidentGraph,
    { metric, origin, anomalies: all }: IncidentMember,
  ): Promise<ReadMember> {
    const anomalies = display.display_anomalies ? all : [];
    const graph = { settings, metric, window, display: rowDisplay(display, metric.type === 'counter') };
    const [timeseries, yhat] = await Promise.all([
      this.data.seriesOf(graph, 'none'),
      display.display_expected_range ? this.data.yhatOf(graph) : [],
    ]);
    const chart = toMetricChart(
      {
        metric,
        from: window.from,
        until: window.until,
        timezone: settings.timezone,
        points: (graph.display.display_derivative ? timeseries.derivative : timeseries.points) ?? [],
        yhat,
        anomalies: anomalies.map(({ timestamp, out_until_timestamp, kind, severity }) => {
          return { timestamp, out_until_timestamp, kind, severity_label: severityLabel(severity) };
        }),
        matches: [],
      },
      graph.display,
    );
    const { title, unit, series, derivative, expected, anomalies: marks } = chart;
    return {
      numbers: {
        metric: toMetricRefDto(metric),
        rank: origin?.rank ?? null,
        likelihood: origin?.likelihood ?? null,
        timeseries,
        yhat,
        anomalies,
      },
      row: { title, unit, series, derivative, expected, anomalies: marks },
    };
  }
}

/** Draws each metric like its own graph; counters as rates. */
const rowDisplay = (display: IncidentDisplay, isCounter: boolean): GraphDisplay => ({
  ...ALL_SHOWN,
  display_anomalies: display.display_anomalies,
  display_expected_range: display.display_expected_range,
  display_derivative: isCounter,
  width: display.width,
  height: display.height,
  theme: display.theme,
  title: '',
});
