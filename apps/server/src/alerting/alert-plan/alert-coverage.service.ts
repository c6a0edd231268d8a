import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type WatcherRule } from '#libs/alerting';
import { type ChipMatcher, compileChips, FoldedTarget, type MatchTarget } from '../../data/chips/chips-match.js';
import { parseChip } from '../../data/chips/chips.js';
import { ExclusionDirectoryService } from '../../data/exclusion/exclusion-directory.service.js';
import { ALERTING_TYPE_ID, type HeldAlerts } from '../../data/exclusion/exclusion.types.js';
import { type Org } from '../../people/org/org.types.js';
import { WatcherDirectoryService } from '../watcher/watcher-directory.service.js';

/** Maximum number of cached chip lists, and of results of each. */
const MAX_LISTS = 5000;
const MAX_ANSWERS = 20_000;

interface KnownList {
  covers: ChipMatcher;
  answers: LRUCache<string, boolean>;
}

/** Which watchers select which metrics. Results are cached: a burst repeats the same queries. */
@Injectable()
export class AlertCoverageService {
  private readonly lists = new LRUCache<string, KnownList>({ max: MAX_LISTS });

  constructor(
    private readonly exclusions: ExclusionDirectoryService,
    private readonly watchers: WatcherDirectoryService,
  ) {}

  /** Watchers that alert, at most a few seconds old. */
  alertingOf(orgId: number): Promise<readonly WatcherRule[]> {
    return this.watchers.alertingOf(orgId);
  }

  /** True if an exclusion suppresses alerts about the metric at a moment (Unix seconds). */
  isHeldBack({ id, timezone }: Pick<Org, 'id' | 'timezone'>, metric: MatchTarget, at: number): boolean {
    return this.exclusions.holdsAlertsBack(id, metric, at, timezone);
  }

  /** The same for all metrics of the organisation, in a form for other threads. */
  heldAlerts({ id, timezone }: Pick<Org, 'id' | 'timezone'>): HeldAlerts {
    const exclusions = this.exclusions.list(id).filter(({ typeId }) => typeId === ALERTING_TYPE_ID);
    return { timezone, exclusions };
  }

  /** Of items with a metric each, those that the chips of the watcher select. */
  covered<T extends { metric: MatchTarget & { id: number; state: string } }>(
    { chips }: Pick<WatcherRule, 'chips'>,
    things: readonly T[],
  ): T[] {
    const key = JSON.stringify(chips);
    let list = this.lists.get(key);
    if (list === undefined) {
      list = { covers: compileChips(chips.map(parseChip)), answers: new LRUCache({ max: MAX_ANSWERS }) };
      this.lists.set(key, list);
    }
    const { covers, answers } = list;
    return things.filter(({ metric }) => {
      const place = `${String(metric.id)} ${metric.state} ${metric.type ?? ''}`;
      const known = answers.get(place);
      if (known !== undefined) return known;
      const isCovered = covers(new FoldedTarget(metric));
      answers.set(place, isCovered);
      return isCovered;
    });
  }
}
