import { Injectable } from '@nestjs/common';
import { type CallerOrg, type KnownCaller } from '../../common/auth/caller.js';
import {
  type Chip,
  type ChipSubject,
  MAX_CHIP_CHARACTERS,
  type PartialLabelChip,
  type PartialMemberChip,
  parsePartialMemberChip,
  parsePartialLabelChip,
  parseChip,
  serialiseChip,
  textChip,
} from '../chips/chips.js';
import { Clock } from '../../common/clock.js';
import { Links } from '../../common/http/links.js';
import { type MetricRef } from '../metric-ref/metric-ref.js';
import { pageOf } from '../../common/paging/paging.js';
import { characters, holdsControlCharacters } from '../../common/validation/param-text.js';
import { OrgService } from '../../people/org/org.service.js';
import { type AnalysisVariables } from '../../people/org/org.types.js';
import { type ListMetricsParams, type SearchMetricsParams } from './dto/list-metrics.params.js';
import {
  type ChipSuggestionDto,
  type MetricAnswerDto,
  type MetricSearchDto,
  type MetricsDto,
} from './dto/metric-answers.dto.js';
import { toMetricDto } from './dto/metric.dto.js';
import { MetricCoverageService } from './metric-coverage.service.js';
import { MetricNotFoundError } from './metric.errors.js';
import { MetricTotalsService } from './metric-totals.service.js';
import { MetricRepository } from './metric.repository.js';
import { type MetricRecord } from './metric.types.js';
import { type MetricDto, toMetricRefDto } from './metric-record.dto.js';
import { type Narrowings, type NarrowingsWanted } from './narrowings-sql.js';
import { SearchQueue } from './search-queue.js';

const MAX_SUGGESTIONS = 20;
/** Labels and name prefixes considered for completion: some of the most frequent cannot be expressed as a chip. */
const MAX_COMPLETED = 500;
/** Removed metrics belong to no watcher. */
const COUNTED_STATES = ['active', 'stale', 'inactive'] as const;
const NO_ANOMALIES = { count: 0, openId: null, lastTimestamp: null, matches: 0, lastMatchTimestamp: null, patterns: 0 };

interface CompletionWanted {
  /** Already selected. */
  chips: readonly Chip[];
  typed: string;
  limit: number;
}

/** Finds metrics and describes them. */
@Injectable()
export class MetricService {
  constructor(
    private readonly metrics: MetricRepository,
    private readonly orgs: OrgService,
    private readonly coverage: MetricCoverageService,
    private readonly links: Links,
    private readonly clock: Clock,
    private readonly turns: SearchQueue,
    private readonly totals: MetricTotalsService,
  ) {}

  /**
   * The metric of a reference, including removed ones.
   * @param field the parameter that contained it, unless it was the path
   * @throws MetricNotFoundError
   */
  async resolve(orgId: number, ref: MetricRef, field?: string): Promise<MetricRecord> {
    const now = this.clock.now();
    const found =
      'id' in ref
        ? await this.metrics.findById(orgId, ref.id, now)
        : await this.metrics.findByName(orgId, ref.name, now);
    if (found === null) throw new MetricNotFoundError(ref, field);
    return found;
  }

  /** Existing metrics among the ids, ordered by id. */
  findByIds(orgId: number, ids: readonly number[]): Promise<MetricRecord[]> {
    return this.metrics.findByIds(orgId, ids, this.clock.now());
  }

  /** Existing metrics, by canonical name. */
  findByNames(orgId: number, names: readonly string[]): Promise<MetricRecord[]> {
    return this.metrics.findByNames(orgId, names, this.clock.now());
  }

  async find(caller: KnownCaller, ref: MetricRef): Promise<MetricAnswerDto> {
    const { org } = caller;
    const [found, settings] = await Promise.all([this.resolve(org.id, ref), this.orgs.getAnalysisVariables(org.id)]);
    const [[metric], watchers, exclusions] = await Promise.all([
      this.describe(org, [found], settings),
      this.coverage.watchersOf(org.id, [found]),
      this.coverage.exclusionRecordsOf(caller, found),
    ]);
    const named = (watchers.get(found.id) ?? []).map(({ id, name }) => ({ id, name }));
    return { metric: metric!, watchers: named, exclusions };
  }

  async list(org: CallerOrg, query: ListMetricsParams): Promise<MetricsDto> {
    const filter = {
      chips: [...(query.chips ?? []), ...(query.q === undefined ? [] : [textChip(query.q)])],
      states: query.state,
      type: query.type,
      source: query.source,
    };
    const { records, total } = await this.turns.run(org.id, async () => {
      // Sequentially: a search then uses one processor of the database, not two.
      const total = await this.totals.count(org.id, filter);
      return { records: await this.metrics.findRows(org.id, filter, query.order, query, this.clock.now()), total };
    });
    const settings = await this.orgs.getAnalysisVariables(org.id);
    return { metrics: await this.describe(org, records, settings), ...pageOf(query, total) };
  }

  /** Matching names, and chips that would narrow the selection further. @throws OverloadedError, ClientGoneError */
  search(org: CallerOrg, query: SearchMetricsParams): Promise<MetricSearchDto> {
    return this.turns.run(org.id, () => this.searchInTurn(org, query));
  }

  private async searchInTurn(org: CallerOrg, query: SearchMetricsParams): Promise<MetricSearchDto> {
    const chips = query.chips ?? [textChip(query.q ?? '*')];
    const filter = { chips, states: query.state };
    // Sequentially: a search then uses one processor of the database, not two.
    const records = await this.metrics.findRows(org.id, filter, 'name', query, this.clock.now());
    const wanted = { typed: '', includesCommon: false, most: MAX_SUGGESTIONS };
    const narrowings = await this.metrics.narrowings(org.id, filter, wanted);
    return {
      metrics: records.map(toMetricRefDto),
      chips: mostFrequent(suggestionsOf(narrowings), MAX_SUGGESTIONS),
      ...pageOf(query, narrowings.total),
    };
  }

  /**
   * Chips that contain the typed text and narrow a selection, by the number of remaining metrics, descending. After a
   * key and its colon these are the values of that label with the prefix that follows, also after a minus; after
   * `@source:`, `@type:` and `@state:` those of the metrics.
   * @throws OverloadedError, ClientGoneError
   */
  completeChips(org: CallerOrg, wanted: CompletionWanted): Promise<ChipSuggestionDto[]> {
    return this.turns.run(org.id, () => this.completeInTurn(org, wanted));
  }

  private async completeInTurn(org: CallerOrg, wanted: CompletionWanted): Promise<ChipSuggestionDto[]> {
    const { chips, typed } = wanted;
    const isNegated = typed.startsWith('-');
    const positive = isNegated ? typed.slice(1) : typed;
    const member = parsePartialMemberChip(positive);
    const pair = parsePartialLabelChip(positive);
    const values =
      member !== null
        ? await this.membersOf(org, chips, member)
        : pair !== null
          ? await this.valuesOf(org, chips, pair)
          : [];
    const isPair = member !== null || pair !== null;
    const found =
      values.length === 0
        ? await this.holding(org, wanted, !isPair)
        : isNegated
          ? await this.without(org, chips, values)
          : values;
    return mostFrequent(found, wanted.limit);
  }

  private async membersOf(
    org: CallerOrg,
    chips: readonly Chip[],
    { member, beginning }: PartialMemberChip,
  ): Promise<ChipSuggestionDto[]> {
    const counts = await this.metrics.countByMember(org.id, { chips, states: COUNTED_STATES }, member);
    return counts.flatMap(({ value, count }) =>
      value.startsWith(beginning) ? (suggestion({ on: 'member', member }, [value], count) ?? []) : [],
    );
  }

  /** The same chips with a minus: each leaves the metrics that it does not select. */
  private async without(
    org: CallerOrg,
    chips: readonly Chip[],
    found: readonly ChipSuggestionDto[],
  ): Promise<ChipSuggestionDto[]> {
    const total = await this.metrics.count(org.id, { chips, states: COUNTED_STATES });
    return found.map(({ chip, metrics_count: count }) => ({
      chip: `-${chip}`,
      metrics_count: Math.max(0, total - count),
    }));
  }

  /** Values of a label. The typed text is not among them: as a chip it would be the whole value, not its prefix. */
  private async valuesOf(org: CallerOrg, chips: readonly Chip[], pair: PartialLabelChip): Promise<ChipSuggestionDto[]> {
    const { labels } = await this.narrowingsOf(org, chips, pair.holds, { typed: pair.typed, names: false });
    const held = withoutQuotes(pair.typed);
    return suggestionsOf({ labels, names: [] }).filter(({ chip }) => withoutQuotes(chip).startsWith(held));
  }

  /** Chips that contain the typed text, and that text itself: unquoted if it parses as text, otherwise quoted. */
  private async holding(
    org: CallerOrg,
    { chips, typed }: CompletionWanted,
    isText: boolean,
  ): Promise<ChipSuggestionDto[]> {
    const text = typed === '' ? undefined : textChip(typed);
    const narrowings = await this.narrowingsOf(org, chips, text, { typed });
    if (narrowings.total === 0) return [];
    const held = typed.toLowerCase();
    const itself = text && { chip: isText ? text.text : serialiseChip(text), metrics_count: narrowings.total };
    const found = [
      ...(itself ? [itself] : []),
      ...suggestionsOf(narrowings).filter(({ chip }) => chip.toLowerCase().includes(held)),
    ];
    return [...new Map(found.map((one) => [one.chip, one])).values()];
  }

  private narrowingsOf(
    org: CallerOrg,
    chips: readonly Chip[],
    more: Chip | undefined,
    wanted: Pick<NarrowingsWanted, 'typed' | 'names'>,
  ): Promise<Narrowings> {
    const filter = { chips: more === undefined ? chips : [...chips, more], states: COUNTED_STATES };
    // A chip that keeps all metrics is as good a completion as one that keeps some.
    return this.metrics.narrowings(org.id, filter, { ...wanted, includesCommon: true, most: MAX_COMPLETED });
  }

  /**
   * The full records of metrics of one organisation, in the same order.
   * @param settings of the organisation
   */
  async describe(
    org: CallerOrg,
    metrics: readonly MetricRecord[],
    { longTermPatternLengthSeconds }: Pick<AnalysisVariables, 'longTermPatternLengthSeconds'>,
  ): Promise<MetricDto[]> {
    if (metrics.length === 0) return [];
    const now = this.clock.now();
    const ids = metrics.map(({ id }) => id);
    const [anomalies, watchers] = await Promise.all([
      this.metrics.anomalyFacts(org.id, ids),
      this.coverage.watchersOf(org.id, metrics),
    ]);
    return metrics.map((metric) =>
      toMetricDto(metric, {
        anomalies: anomalies.get(metric.id) ?? NO_ANOMALIES,
        exclusions: this.coverage.exclusionsOf(org.id, metric),
        watchers: watchers.get(metric.id) ?? [],
        now,
        timezone: org.timezone,
        longTermPatternLengthSeconds,
        graphUrl: this.links.api(`/metric/${encodeURIComponent(metric.name)}/graph`),
      }),
    );
  }
}

const withoutQuotes = (text: string): string => text.toLowerCase().replaceAll(/["\\]/g, '');

const mostFrequent = (found: readonly ChipSuggestionDto[], most: number): ChipSuggestionDto[] =>
  found.toSorted((a, b) => b.metrics_count - a.metrics_count).slice(0, most);

function suggestionsOf({ labels, names }: Pick<Narrowings, 'labels' | 'names'>): ChipSuggestionDto[] {
  return [
    ...labels.map(({ key, value, count }) => suggestion({ on: 'label', key }, [value], count)),
    ...names.map(({ beginning, count }) => suggestion({ on: 'name' }, [beginning, ''], count)),
  ].filter((found) => found !== undefined);
}

/** Undefined if no chip can express it: it would be too long, or parse as something else. */
function suggestion(subject: ChipSubject, parts: string[], count: number): ChipSuggestionDto | undefined {
  const text = serialiseChip({ text: '', negated: false, subject, match: 'whole', parts });
  // A chip is a single line, but values of labels may contain line breaks.
  if (characters(text) > MAX_CHIP_CHARACTERS || holdsControlCharacters(text)) return undefined;
  return parseChip(text).subject.on === subject.on ? { chip: text, metrics_count: count } : undefined;
}
