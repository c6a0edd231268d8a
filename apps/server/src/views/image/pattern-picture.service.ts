import { Injectable, StreamableFile } from '@nestjs/common';
import { patternChart } from '#libs/charts/model';
import { type PatternOutline, PatternService } from '../../analysis/pattern/pattern.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { type AnswerHead } from '../../common/http/answer.js';
import { type Window } from '../../common/window/window.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { ChartRenderer } from './chart-renderer.js';
import { setGraphPolicy } from './content-policy.js';
import { type GraphParams } from './dto/graph.params.js';
import { PATTERN_DISPLAY, type PatternGraphDto } from './dto/pattern-graph.dto.js';
import { refuseLargePicture } from './picture-area.js';
import { columnsOf, displayOf } from './picture-display.js';
import { PICTURE_TYPES } from './chart-request.js';

/** Draws patterns as they are compared: shape, level and spread. */
@Injectable()
export class PatternPictureService {
  constructor(
    private readonly patterns: PatternService,
    private readonly metrics: MetricService,
    private readonly renderer: ChartRenderer,
    private readonly config: ServerConfig,
  ) {}

  /** @throws PatternNotFoundError, ValidationFailedError, OverloadedError */
  async graph(
    caller: KnownCaller,
    id: number,
    query: GraphParams,
    head: AnswerHead,
  ): Promise<StreamableFile | PatternGraphDto> {
    const outline = await this.patterns.outline(caller, id);
    const window = windowOf(outline, query);
    const { pattern, level, spread, part } = outline;
    const { format } = query;
    if (format === 'json') {
      return {
        pattern,
        from: window.from,
        until: window.until,
        resolution_seconds: outline.resolutionSeconds,
        timeseries: outline.timeseries.filter(([time]) => time >= window.from && time <= window.until),
        level,
        spread,
        part: { from: part.from, until: part.until },
        display: displayOf(query, PATTERN_DISPLAY),
      };
    }
    refuseLargePicture(query, format);
    const metric = await this.metrics.resolve(caller.org.id, { id: pattern.metric_id });
    const chart = {
      ...patternChart({
        title: query.title === '' ? titleOf(outline) : query.title,
        unit: metric.unit ?? '',
        timezone: caller.org.timezone,
        from: window.from,
        until: window.until,
        shape: { name: 'shape', ...columnsOf(outline.timeseries) },
        level,
        spread,
        compared: outline.compared,
        part: {
          from: part.from,
          until: part.until,
          kind: part.isUp ? 'spike' : 'dip',
          label: pattern.positive ? 'known problem' : 'expected',
        },
        derivative: metric.type === 'counter',
        display: {
          xAxis: query.display_x_axis,
          yAxis: query.display_y_axis,
          legend: query.display_legend,
          anomalies: query.display_anomalies,
          matches: false,
          expectedRange: query.display_expected_range,
        },
        theme: 'light',
        width: query.width,
        height: query.height,
      }),
      theme: query.theme,
    };
    const picture = await this.renderer.render({ chart, format }, caller.org.id);
    setGraphPolicy(head, this.config.frameAncestors);
    return new StreamableFile(picture, { type: PICTURE_TYPES[format], length: picture.length });
  }
}

const titleOf = ({ pattern: { label, metric, duration_string: length } }: PatternOutline): string =>
  `${label === '' ? `${length} pattern` : label}: ${metric}`;

/**
 * The requested window; by default the compared window, with at least as much time before the marked part as the part
 * is long.
 */
function windowOf({ part, compared, keptFrom }: PatternOutline, { from, until }: GraphParams): Window {
  const length = part.until - part.from;
  const begin = Math.max(keptFrom, Math.min(compared.from, part.from - length));
  const end = until ?? compared.until;
  const start = from ?? (begin < end ? begin : end - length);
  return { from: start, until: Math.max(start + 1, end) };
}
