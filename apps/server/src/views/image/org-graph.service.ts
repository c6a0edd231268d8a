import { Injectable, StreamableFile } from '@nestjs/common';
import { type ChartSeries, type MetricChart, type SeriesTone } from '#libs/charts/model';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { type AnswerHead } from '../../common/http/answer.js';
import { OrgCountsService } from '../organisation/org-counts.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { type CountSeriesDto, type CountSeriesName, type OrgCountsDto } from '../organisation/org-counts.dto.js';
import { ChartRenderer } from './chart-renderer.js';
import { setGraphPolicy } from './content-policy.js';
import { type GraphTheme, type OrgGraphParams } from './dto/graph.params.js';
import { refuseLargePicture } from './picture-area.js';
import { PICTURE_TYPES } from './chart-request.js';

const TONES: Readonly<Record<CountSeriesName, SeriesTone>> = {
  anomalies: 'anomaly',
  matches: 'match',
  alerts: 'alert',
  points: 'line',
  metrics: 'other',
};

const EMPTY: ChartSeries = { name: '', timestamps: [], values: [] };

/** Graphs of the events of an organisation. */
@Injectable()
export class OrgGraphService {
  constructor(
    private readonly counts: OrgCountsService,
    private readonly orgs: OrgService,
    private readonly renderer: ChartRenderer,
    private readonly config: ServerConfig,
  ) {}

  async graph(caller: KnownCaller, query: OrgGraphParams, head: AnswerHead): Promise<StreamableFile | OrgCountsDto> {
    const counts = await this.counts.countOverTime(caller.org.id, query, query.series);
    if (query.format === 'json') return counts;
    const { name, timezone } = await this.orgs.getById(caller.org.id);
    refuseLargePicture(query, query.format);
    const chart = toOrgChart(counts, { name, timezone }, query);
    const picture = await this.renderer.render({ chart, format: query.format }, caller.org.id);
    setGraphPolicy(head, this.config.frameAncestors);
    return new StreamableFile(picture, { type: PICTURE_TYPES[query.format], length: picture.length });
  }
}

/** The chart of counts over time according to the display parameters. */
function toOrgChart(
  counts: OrgCountsDto,
  org: { name: string; timezone: string },
  display: OrgGraphParams,
): Omit<MetricChart, 'theme'> & { theme: GraphTheme } {
  const { from, until } = counts;
  const [first = EMPTY, ...others] = counts.series
    .filter(({ name }) => display.display_anomalies || name !== 'anomalies')
    .filter(({ name }) => display.display_matches || name !== 'matches')
    .map((series) => lineOf(series, counts));
  return {
    title: display.title === '' ? org.name : display.title,
    unit: '',
    timezone: org.timezone,
    from,
    until,
    series: first,
    others,
    counts: true,
    anomalies: [],
    matches: [],
    display: {
      xAxis: display.display_x_axis,
      yAxis: display.display_y_axis,
      legend: display.display_legend,
      anomalies: false,
      matches: false,
      expectedRange: false,
    },
    theme: display.theme,
    width: display.width,
    height: display.height,
  };
}

/** The first interval may start before the picture, and the last one continues to its end. */
function lineOf({ name, points }: CountSeriesDto, { from, until }: OrgCountsDto): ChartSeries {
  const last = points[points.length - 1]?.[1] ?? 0;
  const beginnings = points.map(([timestamp]) => Math.max(timestamp, from));
  const isOpen = (beginnings[beginnings.length - 1] ?? until) < until;
  return {
    name,
    tone: TONES[name],
    timestamps: isOpen ? [...beginnings, until] : beginnings,
    values: points.map(([, count]) => count).concat(isOpen ? [last] : []),
  };
}
