import { Injectable, Logger } from '@nestjs/common';
import { messageOf } from '../../common/errors/message-of.js';
import { type ChipMatcher, compileChips } from '../../data/chips/chips-match.js';
import { type Chip, parseChips } from '../../data/chips/chips.js';
import { ThresholdRepository } from './threshold.repository.js';
import { type ThresholdWatcher } from './threshold.types.js';

/** Interval for checking for changes of watchers: an edit is effective within five seconds. */
const LOOK_EVERY_MS = 2000;

export interface CompiledThreshold extends ThresholdWatcher {
  parsedChips: readonly Chip[];
  covers: ChipMatcher;
  /**
   * Contains a chip about a property that changes by itself, such as the state: the selected metrics are queried
   * repeatedly.
   */
  isShifting: boolean;
}

/** The watchers of thresholds of all organisations in memory. */
@Injectable()
export class ThresholdWatchersService {
  private readonly logger = new Logger(ThresholdWatchersService.name);
  /** Incremented on each change that is noticed. */
  generation = 0;
  private fingerprint = '';
  private lookedAt = -Infinity;
  private all: ReadonlyMap<number, CompiledThreshold> = new Map();
  private byOrg: ReadonlyMap<number, readonly CompiledThreshold[]> = new Map();
  private reloading: Promise<void> | undefined;

  constructor(private readonly rows: ThresholdRepository) {}

  /** By id. */
  get watchers(): ReadonlyMap<number, CompiledThreshold> {
    return this.all;
  }

  ofOrg(orgId: number): readonly CompiledThreshold[] {
    return this.byOrg.get(orgId) ?? NONE;
  }

  /** Checks for changes, unless that was done a moment ago. */
  async refresh(): Promise<void> {
    if (performance.now() - this.lookedAt < LOOK_EVERY_MS) return;
    await this.refreshNow();
  }

  refreshNow(): Promise<void> {
    this.reloading ??= this.reload().finally(() => (this.reloading = undefined));
    return this.reloading;
  }

  private async reload(): Promise<void> {
    const fingerprint = await this.rows.fingerprint();
    if (fingerprint !== this.fingerprint) {
      const known = this.all;
      const found = (await this.rows.watchers()).flatMap((watcher) => {
        const before = known.get(watcher.id);
        if (before && isSame(before, watcher)) return Object.assign(before, { name: watcher.name });
        return this.compile(watcher) ?? [];
      });
      this.all = new Map(found.map((watcher) => [watcher.id, watcher]));
      this.byOrg = groupByOrg(found);
      this.fingerprint = fingerprint;
      this.generation++;
    }
    this.lookedAt = performance.now();
  }

  /** Undefined: it cannot be parsed, which must not delay the points of all organisations. */
  private compile(watcher: ThresholdWatcher): CompiledThreshold | undefined {
    try {
      return compile(watcher);
    } catch (error) {
      this.logger.error(`The watcher ${String(watcher.id)} is left out: ${messageOf(error)}`);
      return undefined;
    }
  }
}

const NONE: readonly CompiledThreshold[] = [];

function groupByOrg(watchers: readonly CompiledThreshold[]): Map<number, CompiledThreshold[]> {
  const groups = new Map<number, CompiledThreshold[]>();
  for (const watcher of watchers) {
    const group = groups.get(watcher.orgId);
    if (group) group.push(watcher);
    else groups.set(watcher.orgId, [watcher]);
  }
  return groups;
}

function isSame(one: ThresholdWatcher, other: ThresholdWatcher): boolean {
  return JSON.stringify([one.chips, one.rule]) === JSON.stringify([other.chips, other.rule]);
}

function compile(watcher: ThresholdWatcher): CompiledThreshold {
  const parsedChips = parseChips(watcher.chips);
  const isShifting = parsedChips.some(({ subject }) => subject.on === 'member' && subject.member !== 'name');
  return { ...watcher, parsedChips, covers: compileChips(parsedChips), isShifting };
}
