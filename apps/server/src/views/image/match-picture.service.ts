import { Injectable, StreamableFile } from '@nestjs/common';
import { matchChart } from '#libs/charts/model';
import { type MatchDto } from '../../teaching/match/match.dto.js';
import { NoMotifError } from '../../teaching/match/match.errors.js';
import { MatchService } from '../../teaching/match/match.service.js';
import { type PatternDto } from '../../analysis/pattern/pattern.dto.js';
import { PatternService } from '../../analysis/pattern/pattern.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { type AnswerHead } from '../../common/http/answer.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { ChartRenderer } from './chart-renderer.js';
import { setGraphPolicy } from './content-policy.js';
import { MATCH_DISPLAY, type MatchGraphDto } from './dto/match-graph.dto.js';
import { type GraphParams } from './dto/graph.params.js';
import { refuseLargePicture } from './picture-area.js';
import { columnsOf, displayOf } from './picture-display.js';
import { PICTURE_TYPES } from './chart-request.js';

/** Maximum number of points: more would not be visible. */
const MAX_POINTS = 2000;

type Curve = [number, number | null][];

interface Comparison {
  match: MatchDto;
  pattern: PatternDto;
  matched: Curve;
  /** The shape at its original time. */
  shape: Curve;
  /** Seconds from the time of the shape to that of the matched part. */
  shift: number;
}

/** Draws matches over their patterns. */
@Injectable()
export class MatchPictureService {
  constructor(
    private readonly matches: MatchService,
    private readonly patterns: PatternService,
    private readonly metrics: MetricService,
    private readonly renderer: ChartRenderer,
    private readonly config: ServerConfig,
  ) {}

  /** The matched window over the whole pattern. */
  async ofMatch(caller: KnownCaller, id: number, query: GraphParams, head: AnswerHead) {
    const compared = await this.compared(caller, id);
    const { timeseries } = await this.patterns.timeseries(caller, compared.pattern.id, MAX_POINTS);
    return this.answer(caller, { ...compared, shape: timeseries }, query, head);
  }

  /**
   * The matching part over the same part of the pattern.
   * @throws NoMotifError
   */
  async ofMotif(caller: KnownCaller, id: number, query: GraphParams, head: AnswerHead) {
    const compared = await this.compared(caller, id);
    if (compared.match.match_type !== 'motif') throw new NoMotifError(id);
    return this.answer(caller, compared, query, head);
  }

  private async compared(caller: KnownCaller, id: number): Promise<Comparison> {
    const { match, pattern, timeseries, pattern_timeseries: shape } = await this.matches.find(caller, id);
    const shift = (timeseries[0]?.[0] ?? match.timestamp) - (shape[0]?.[0] ?? match.timestamp);
    return { match, pattern, matched: timeseries, shape, shift };
  }

  private async answer(
    caller: KnownCaller,
    { match, pattern, matched, shape, shift }: Comparison,
    query: GraphParams,
    head: AnswerHead,
  ): Promise<StreamableFile | MatchGraphDto> {
    const display = displayOf(query, MATCH_DISPLAY);
    const { format } = query;
    if (format === 'json') {
      return { match, pattern, timeseries: matched, pattern_timeseries: shape, shift_seconds: shift, display };
    }
    refuseLargePicture(query, format);
    const metric = await this.metrics.resolve(caller.org.id, { id: match.metric_id });
    const chart = {
      ...matchChart({
        title: query.title === '' ? match.metric : query.title,
        unit: metric.unit ?? '',
        timezone: caller.org.timezone,
        matched: { name: `match of ${match.timestamp_string}`, at: shift, ...columnsOf(matched) },
        pattern: { name: pattern.label === '' ? 'pattern' : `pattern: ${pattern.label}`, at: 0, ...columnsOf(shape) },
        derivative: metric.type === 'counter',
        display: { xAxis: query.display_x_axis, yAxis: query.display_y_axis, legend: query.display_legend },
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
