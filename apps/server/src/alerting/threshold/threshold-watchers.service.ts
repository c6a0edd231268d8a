import { Injectable } from '@nestjs/common';
import { type ChipMatcher, compileChips } from '../../data/chips/chips-match.js';
import { type Chip, parseChips } from '../../data/chips/chips.js';
import { ThresholdRepository } from './threshold.repository.js';
import { type ThresholdWatcher } from './threshold.types.js';

/** Changes of watchers are looked for so often: an edit holds within five seconds. */
const LOOK_EVERY_MS = 2000;

export interface CompiledThreshold extends ThresholdWatcher {
  parsedChips: readonly Chip[];
  covers: ChipMatcher;
  /** Asks for something that changes by itself, such as the state: which metrics it selects is asked again and again. */
  isShifting: boolean;
}

/** The watchers of thresholds of all organisations in memory. */
@Injectable()
export class ThresholdWatchers {
  /** Rises with each change that is noticed. */
  generation = 0;
  private fingerprint = '';
  private lookedAt = -Infinity;
  private all: ReadonlyMap<number, CompiledThreshold> = new Map();
  private byOrg: ReadonlyMap<number, readonly CompiledThreshold[]> = new Map();
  private looking: Promise<void> | undefined;

  constructor(private readonly rows: ThresholdRepository) {}

  /** By id. */
  get watchers(): ReadonlyMap<number, CompiledThreshold> {
    return this.all;
  }

  ofOrg(orgId: number): readonly CompiledThreshold[] {
    return this.byOrg.get(orgId) ?? NONE;
  }

  /** Looks for changes, unless that was done a moment ago. */
  async refresh(): Promise<void> {
    if (performance.now() - this.lookedAt < LOOK_EVERY_MS) return;
    this.looking ??= this.look().finally(() => (this.looking = undefined));
    await this.looking;
  }

  private async look(): Promise<void> {
    const fingerprint = await this.rows.fingerprint();
    if (fingerprint !== this.fingerprint) {
      const known = this.all;
      const found = (await this.rows.watchers()).map((watcher) => {
        const before = known.get(watcher.id);
        return before && isSame(before, watcher) ? Object.assign(before, { name: watcher.name }) : compile(watcher);
      });
      this.all = new Map(found.map((watcher) => [watcher.id, watcher]));
      this.byOrg = groupByOrg(found);
      this.fingerprint = fingerprint;
      this.generation++;
    }
    this.lookedAt = performance.now();
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
