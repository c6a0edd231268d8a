import { availableParallelism } from 'node:os';
import { setImmediate as nextRound } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DERIVED_NAMES, type DerivedName, isDerivedName } from '#libs/contracts';
import { type FairQueue } from '../../common/fair-share/fair-queue.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { currentRequest } from '../../common/http/request-context.js';
import { type Deadline } from './deadline.js';
import { isOnName, PatternBudget, type ReadyMatcher, readyMatchers, selectsAll } from './matchers.js';
import { type LabelMatcher } from './promql.types.js';
import { BadDataError, ExecutionError } from './prometheus.errors.js';
import { labelValue } from './series-labels.js';
import { isExact, type SeriesFilter, SeriesRepository } from './series.repository.js';
import { type Series, type SeriesWindow, type StoredSeriesRow } from './series.types.js';

/** Maximum number of series in an answer. */
const MAX_SERIES = 50_000;

/** Maximum number of metrics that are matched with patterns for one selector. */
const MAX_SCANNED = 1_000_000;
/** Maximum number of names that are matched with patterns before the lookup of their metrics. */
const MAX_NAMES = 50_000;
/** Metrics per statement, and per check of the deadline. */
const PAGE = 2000;
/** Metrics that are matched with patterns per turn of the event loop. */
const SLICE = 200;

/** Maximum number of waiting selections: of all organisations, and of one. */
const WAITING = 500;
const WAITING_PER_ORG = 100;

export interface Selection {
  /** At least one of them must match. */
  selectors: readonly (readonly LabelMatcher[])[];
  /** Only series with data in the window. */
  window: SeriesWindow | null;
  lookback: SeriesFilter['lookback'];
  /** Number of requested series; one more is read, to detect whether there are more. Null: all. */
  limit: number | null;
}

/** Finds the series of selectors, among stored metrics and the series derived from them. */
@Injectable()
export class SeriesSelectionService {
  private readonly turns: FairQueue;

  constructor(
    private readonly rows: SeriesRepository,
    registry: FairQueueRegistry,
  ) {
    this.turns = registry.open('selections', {
      slots: Math.max(2, availableParallelism() - 1),
      slotsPerParty: 1,
      waiting: WAITING,
      waitingPerParty: WAITING_PER_ORG,
    });
  }

  /**
   * Each series once, in the order of selectors and metrics.
   * @throws BadDataError for a selector that selects everything, or an invalid pattern; ExecutionError if there would
   *   be too many series; QueryTimeoutError, OverloadedError, ClientGoneError
   */
  find(orgId: number, selection: Selection, deadline: Deadline): Promise<Series[]> {
    const budget = new PatternBudget();
    const selectors = selection.selectors.map((matchers) => readyMatchers(matchers, budget));
    if (selectors.some(selectsAll)) {
      throw new BadDataError('a selector must contain at least one non-empty matcher');
    }
    return this.inTurn(orgId, async () => {
      const found = new Map<string, Series>();
      for (const matchers of selectors) await this.addTo(found, orgId, matchers, selection, deadline);
      return [...found.values()];
    });
  }

  /**
   * Runs other work that reads many metrics: one at a time per organisation. @throws OverloadedError, ClientGoneError
   */
  inTurn<Result>(orgId: number, work: () => Promise<Result>): Promise<Result> {
    return this.turns.run(`org:${String(orgId)}`, work, currentRequest.getStore()?.gone);
  }

  private async addTo(
    found: Map<string, Series>,
    orgId: number,
    matchers: readonly ReadyMatcher[],
    { window, lookback, limit }: Selection,
    deadline: Deadline,
  ): Promise<void> {
    const most = limit === null ? MAX_SERIES : Math.min(limit, MAX_SERIES);
    for (const { view, names } of viewsOf(matchers)) {
      const asked: SeriesFilter = { matchers, view, window, lookback };
      const filter = await this.withNames(orgId, asked, limit);
      const ids = await this.idsOf(orgId, filter, names.length, limit);
      for (let start = 0; start < ids.length; start += PAGE) {
        deadline.check('finding series');
        for (const [index, row] of (await this.rows.findByIds(orgId, ids.slice(start, start + PAGE))).entries()) {
          if (index % SLICE === SLICE - 1) await nextRound();
          addFitting(found, row, names, matchers);
          if (found.size <= most) continue;
          if (limit !== null && limit <= MAX_SERIES) return;
          throw tooMany();
        }
      }
    }
  }

  /**
   * Matches patterns of names once per name, and replaces them by the list of matching names, which the database can
   * look up.
   * @throws ExecutionError if there would be too many series
   */
  private async withNames(orgId: number, filter: SeriesFilter, limit: number | null): Promise<SeriesFilter> {
    const { matchers, view } = filter;
    const patterns = matchers.filter((matcher) => isOnName(matcher) && !isExact({ ...filter, matchers: [matcher] }));
    if (view === 'derived' || patterns.length === 0) return filter;
    const others = matchers.filter((matcher) => !isOnName(matcher));
    // If an index finds the metrics by a label, there are few names; otherwise each existing name takes a step.
    const names = others.some(({ operator, matchesEmpty }) => operator === '=' && !matchesEmpty)
      ? await this.rows.findNames(orgId, filter, MAX_NAMES + 1)
      : await this.rows.listNames(orgId, { ...filter, prefix: prefixOf(patterns) }, MAX_NAMES + 1);
    const fitting: string[] = [];
    for (const [index, name] of names.entries()) {
      if (index % SLICE === SLICE - 1) await nextRound();
      if (patterns.every(({ holds }) => holds(name))) fitting.push(name);
    }
    // Each name has at least one series.
    if (others.length === 0 && limit === null && fitting.length > MAX_SERIES) throw tooMany();
    if (names.length > MAX_NAMES) return filter;
    const set = new Set(fitting);
    const listed: ReadyMatcher = {
      ...patterns[0]!,
      operator: '=~',
      facts: { set: fitting, prefix: '' },
      matchesEmpty: false,
      holds: (name) => set.has(name),
    };
    return { ...filter, matchers: [...matchers.filter((matcher) => !patterns.includes(matcher)), listed] };
  }

  /**
   * Too many series are refused before a row is read. If patterns remain to be matched, matching rows are counted while
   * they are read.
   * @throws ExecutionError
   */
  private async idsOf(
    orgId: number,
    filter: SeriesFilter,
    seriesPerMetric: number,
    limit: number | null,
  ): Promise<number[]> {
    const exactly = isExact(filter);
    const most = exactly ? Math.floor(MAX_SERIES / seriesPerMetric) : MAX_SCANNED;
    const ids = await this.rows.findIds(orgId, filter, most + 1);
    const isLimited = limit !== null && limit <= MAX_SERIES;
    if (ids.length > most && !(exactly && isLimited)) throw tooMany();
    return ids.sort((one, other) => one - other);
  }
}

/** Longest known prefix of all matching names. */
function prefixOf(patterns: readonly ReadyMatcher[]): string {
  const prefixes = patterns.map(({ operator, facts }) => (operator === '=~' ? (facts?.prefix ?? '') : ''));
  return prefixes.reduce((longest, prefix) => (prefix.length > longest.length ? prefix : longest), '');
}

interface View {
  view: SeriesFilter['view'];
  /** The derived series of each metric; null: the stored values. */
  names: readonly (DerivedName | null)[];
}

/**
 * Stored metrics, unless the name is one of the derived series; and the derived series that a matcher selects by `=` or
 * `=~`: a selector with only labels, or with a negated name, selects stored metrics.
 */
function viewsOf(matchers: readonly ReadyMatcher[]): View[] {
  const onName = matchers.filter(isOnName);
  const isAsked = onName.some(({ operator }) => operator === '=' || operator === '=~');
  const derived = isAsked ? DERIVED_NAMES.filter((name) => onName.every((matcher) => matcher.holds(name))) : [];
  const isDerivedAlone = onName.some(({ operator, value }) => operator === '=' && isDerivedName(value));
  return [
    ...(isDerivedAlone ? [] : [{ view: 'stored', names: [null] } as const]),
    ...(derived.length === 0 ? [] : [{ view: 'derived', names: derived } as const]),
  ];
}

function addFitting(
  found: Map<string, Series>,
  row: StoredSeriesRow,
  names: readonly (DerivedName | null)[],
  matchers: readonly ReadyMatcher[],
): void {
  for (const derived of names) {
    // The names of derived series are reserved.
    if (derived === null && isDerivedName(row.displayName)) continue;
    const series: Series = { row, derived };
    const fits = matchers.every((matcher) => matcher.holds(labelValue(series, matcher.name)));
    if (fits) found.set(`${derived ?? ''} ${String(row.id)}`, series);
  }
}

function tooMany(): ExecutionError {
  return new ExecutionError(`the query selects more than ${String(MAX_SERIES)} series; narrow it by a name or a label`);
}
