import { Injectable } from '@nestjs/common';
import { PatternSeriesService } from '../../analysis/pattern/pattern-series.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { type Page, pageOf } from '../../common/paging/paging.js';
import { type Window } from '../../common/window/window.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { PatternNotFoundError } from '../../analysis/pattern/pattern.errors.js';
import { PatternPresenterService } from '../../analysis/pattern/pattern-presenter.service.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { type MatchAnswerDto, type MatchesDto, type RecentlyMatchedDto } from './dto/match-answers.dto.js';
import { type ListAllMatchesParams, type ListMatchesParams, type RecentlyMatchedParams } from './dto/match.params.js';
import { MatchPresenter } from './match-presenter.js';
import { type MatchDto } from './match.dto.js';
import { MatchNotFoundError } from './match.errors.js';
import { type MatchFilter, MatchRepository } from './match.repository.js';
import { type Match } from './match.types.js';

/** The compared windows of a match: from the stored series, and from the pattern. */
@Injectable()
export class MatchCurvesService {
  constructor(
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly patterns: PatternDirectoryService,
    private readonly series: PatternSeriesService,
  ) {}

  async read(
    orgId: number,
    match: Match,
  ): Promise<{ timeseries: [number, number | null][]; patternTimeseries: [number, number | null][] }> {
    const { metricId, patternId, shapeIndex, windowStart, windowSlots } = match;
    const [[metric], settings, pattern] = await Promise.all([
      this.metrics.findByIds(orgId, [metricId]),
      this.orgs.getById(orgId),
      this.patterns.comparableById(orgId, patternId),
    ]);
    if (metric === undefined || pattern === null) throw new MatchNotFoundError(match.id);
    const { fine } = pattern.shape;
    const window = { from: windowStart, until: windowStart + (windowSlots - 1) * fine.step, step: fine.step };
    const { start, values } = await this.series.read(metric, window, settings);
    const mine = fine.values.subarray(shapeIndex, shapeIndex + windowSlots);
    return {
      timeseries: points(start, fine.step, values),
      patternTimeseries: points(fine.start + shapeIndex * fine.step, fine.step, mine),
    };
  }
}

const points = (start: number, step: number, values: Float32Array): [number, number | null][] =>
  Array.from(values, (value, slot) => [start + slot * step, Number.isFinite(value) ? value : null]);

/** Matches for users. */
@Injectable()
export class MatchService {
  constructor(
    private readonly matches: MatchRepository,
    private readonly presenter: MatchPresenter,
    private readonly patterns: PatternDirectoryService,
    private readonly patternRecords: PatternPresenterService,
    private readonly series: MatchCurvesService,
    private readonly metrics: MetricService,
    private readonly clock: Clock,
  ) {}

  async find(caller: KnownCaller, id: number): Promise<MatchAnswerDto> {
    const match = await this.get(caller.org.id, id);
    const pattern = await this.patterns.find(caller.org.id, match.patternId);
    if (pattern === null) throw new MatchNotFoundError(id);
    const [patternRecord] = await this.patternRecords.present(caller, [pattern]);
    const record = this.presenter.present(caller, [match])[0]!;
    const { timeseries, patternTimeseries } = await this.series.read(caller.org.id, match);
    return {
      match: record,
      pattern: patternRecord!,
      timeseries,
      pattern_timeseries: patternTimeseries,
      match_graph_url: record.graph_url,
      motif_graph_url: record.motif_graph_url,
    };
  }

  async listOfPattern(caller: KnownCaller, patternId: number, params: ListMatchesParams): Promise<MatchesDto> {
    const orgId = caller.org.id;
    if ((await this.patterns.find(orgId, patternId)) === null) throw new PatternNotFoundError(patternId);
    const { from, until, validated } = params;
    return this.page(caller, { patternId, from, until, validated }, params);
  }

  /** The newest first. */
  async listOfMetric(caller: KnownCaller, metricId: number, { from, until }: Window, page: Page): Promise<MatchesDto> {
    return this.page(caller, { metricId, from, until }, page);
  }

  /** Matches of the organisation, newest first. */
  async list(caller: KnownCaller, params: ListAllMatchesParams): Promise<MatchesDto> {
    const orgId = caller.org.id;
    const { from, until, validated, chips, pattern_id: patternId } = params;
    if (patternId !== undefined && (await this.patterns.find(orgId, patternId)) === null) {
      throw new PatternNotFoundError(patternId, 'pattern_id');
    }
    const metric = params.metric && (await this.metrics.resolve(orgId, params.metric, 'metric'));
    return this.page(caller, { metricId: metric?.id, patternId, from, until, validated, chips }, params);
  }

  /** Matches of all metrics, newest first. */
  async newest(caller: KnownCaller, limit: number): Promise<MatchDto[]> {
    return this.presenter.present(caller, await this.matches.newest(caller.org.id, limit));
  }

  async recentlyMatched(caller: KnownCaller, { chips, limit }: RecentlyMatchedParams): Promise<RecentlyMatchedDto> {
    const latest = await this.matches.latestOfMetrics(caller.org.id, chips, limit, this.clock.now());
    const records = this.presenter.present(caller, latest);
    return {
      metrics: records.map((match) => ({
        metric: match.metric,
        metric_id: match.metric_id,
        last_match_timestamp: match.timestamp,
        last_match_string: this.presenter.relative(match.timestamp),
        match,
      })),
    };
  }

  /** The existing matches with these ids. */
  async findByIds(caller: KnownCaller, ids: readonly number[]): Promise<Map<number, MatchDto>> {
    const records = this.presenter.present(caller, await this.matches.findByIds(caller.org.id, ids));
    return new Map(records.map((record) => [record.id, record]));
  }

  private async page(caller: KnownCaller, filter: MatchFilter, page: Page): Promise<MatchesDto> {
    const { matches, total } = await this.matches.list(caller.org.id, filter, page, this.clock.now());
    return { matches: this.presenter.present(caller, matches), ...pageOf(page, total) };
  }

  private async get(orgId: number, id: number): Promise<Match> {
    const match = await this.matches.find(orgId, id);
    if (match === null) throw new MatchNotFoundError(id);
    return match;
  }
}
