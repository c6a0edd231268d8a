import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Shape } from '#libs/patterns';
import { Clock } from '../../common/clock.js';
import { afterCommit, type Tx } from '../../common/database/transactions.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type EventText } from '../../platform/event/event.types.js';
import { StreamLogService } from '../../platform/stream-log/stream-log.service.js';
import { TooManyPatternsError } from './pattern.errors.js';
import { PatternEvents } from './pattern.events.js';
import { PatternChecksService } from './pattern-checks.service.js';
import { type AgreementRuns, PatternRepository } from './pattern.repository.js';
import {
  type ComparablePattern,
  MAX_ENABLED_PER_METRIC,
  type NewPattern,
  type Pattern,
  type PatternSet,
  type PendingPattern,
  type ShapedPattern,
} from './pattern.types.js';
import { type NewPendingPattern, PendingPatternRepository } from './pending-pattern.repository.js';

/** Number of equal results of trusted patterns before a shadow becomes trusted. */
const AGREEMENTS_TO_TRUST = 3;

/** Maximum number of patterns in memory, without their shapes: some 300 bytes each. */
const KEPT_PATTERNS = 50_000;

/** Maximum number of shapes of one metric that are read together, including disabled ones. */
const MAX_SHAPES = 1000;

/** Patterns for the areas that create them and compare with them. */
@Injectable()
export class PatternDirectoryService {
  private readonly sets = new LRUCache<number, PatternSet>({
    maxSize: KEPT_PATTERNS,
    sizeCalculation: ({ patterns }) => patterns.size + 1,
  });

  constructor(
    private readonly patterns: PatternRepository,
    private readonly pending: PendingPatternRepository,
    private readonly checks: PatternChecksService,
    private readonly changes: PatternEvents,
    private readonly events: EventRecorderService,
    private readonly stream: StreamLogService,
    private readonly clock: Clock,
  ) {}

  find(orgId: number, id: number, tx?: Tx): Promise<Pattern | null> {
    return this.patterns.find(orgId, id, tx);
  }

  findByIds(orgId: number, ids: readonly number[], tx?: Tx): Promise<Pattern[]> {
    return this.patterns.findByIds(orgId, ids, tx);
  }

  /** Enabled patterns with their shapes. */
  async comparable(orgId: number, metricIds: readonly number[]): Promise<ShapedPattern[]> {
    return this.withShapes(orgId, await this.patterns.comparable(orgId, metricIds));
  }

  async comparableById(orgId: number, id: number): Promise<ShapedPattern | null> {
    const row = await this.patterns.comparableById(orgId, id);
    return row === null ? null : ((await this.withShapes(orgId, [row]))[0] ?? null);
  }

  /** The enabled patterns of the metrics; unchanged ones are not read again. */
  async comparableSets(orgId: number, metricIds: readonly number[]): Promise<Map<number, PatternSet>> {
    // The stamp is read first: patterns that change in between are read again the next time.
    const stamps = await this.patterns.stamps(orgId, metricIds);
    const sets = new Map<number, PatternSet>();
    const read = new Map<number, Map<number, ComparablePattern>>();
    for (const [metricId, stamp] of stamps) {
      const known = this.sets.get(metricId);
      if (known?.stamp === stamp) {
        sets.set(metricId, known);
        continue;
      }
      const patterns = new Map<number, ComparablePattern>();
      read.set(metricId, patterns);
      sets.set(metricId, { metricId, stamp, patterns });
    }
    if (read.size === 0) return sets;
    for (const pattern of await this.patterns.comparable(orgId, [...read.keys()])) {
      read.get(pattern.metricId)!.set(pattern.id, pattern);
    }
    for (const metricId of read.keys()) this.sets.set(metricId, sets.get(metricId));
    return sets;
  }

  /** Shapes never change. */
  shapes(orgId: number, ids: readonly number[]): Promise<Map<number, Shape>> {
    return this.patterns.shapes(orgId, ids);
  }

  /** All patterns of a metric, including disabled ones. */
  everyShape(orgId: number, metricId: number): Promise<Shape[]> {
    return this.patterns.everyShape(orgId, metricId, MAX_SHAPES);
  }

  private async withShapes(orgId: number, rows: readonly ComparablePattern[]): Promise<ShapedPattern[]> {
    const shapes = await this.patterns.shapes(
      orgId,
      rows.map(({ id }) => id),
    );
    return rows.flatMap((row) => {
      const shape = shapes.get(row.id);
      return shape === undefined ? [] : [{ ...row, shape }];
    });
  }

  metricsWithPatterns(metricIds: readonly number[], tx: Tx) {
    return this.patterns.metricsWithPatterns(metricIds, tx);
  }

  /** The enabled patterns, which stay enabled until `tx` ends. */
  lockEnabled(orgId: number, ids: readonly number[], tx: Tx): Promise<Set<number>> {
    return this.patterns.lockEnabled(orgId, ids, tx);
  }

  /** Counts a comparison; written within half a minute. */
  noteChecks(orgId: number, ids: Iterable<number>): void {
    this.checks.note(orgId, ids);
  }

  addMatches(...args: Parameters<PatternRepository['addMatches']>): Promise<void> {
    return this.patterns.addMatches(...args);
  }

  takeMatchesBack(...args: Parameters<PatternRepository['takeMatchesBack']>): Promise<void> {
    return this.patterns.takeMatchesBack(...args);
  }

  /**
   * Results of shadows compared with those of trusted patterns, one comparison after the other: shadows that agreed
   * often enough become trusted.
   */
  noteAgreements(
    orgId: number,
    comparisons: readonly { agreed: readonly number[]; differed: readonly number[] }[],
    tx: Tx,
  ): Promise<number[]> {
    return this.patterns.noteAgreements(orgId, runsOf(comparisons), AGREEMENTS_TO_TRUST, tx);
  }

  addStarts(orgId: number, ids: readonly number[], starts: readonly number[], tx: Tx): Promise<void> {
    return this.patterns.addStarts(orgId, ids, starts, tx);
  }

  removeStart(orgId: number, id: number, start: number, tx: Tx): Promise<void> {
    return this.patterns.removeStart(orgId, id, start, tx);
  }

  noteResemblances(...args: Parameters<PatternRepository['noteResemblances']>): Promise<void> {
    return this.patterns.noteResemblances(...args);
  }

  /**
   * Stores a pattern; if the metric has its maximum number, the oldest learnt ones are disabled first, and returned.
   * Call `announce` afterwards.
   * @throws TooManyPatternsError
   */
  async create(pattern: NewPattern, tx: Tx): Promise<{ id: number; disabled: number[] }> {
    const { orgId, metricId } = pattern;
    const enabled = await this.patterns.enabledOf(orgId, metricId, tx);
    const tooMany = enabled.length + 1 - MAX_ENABLED_PER_METRIC;
    let disabled: number[] = [];
    if (tooMany > 0) {
      const out = enabled.filter(({ isMachine }) => isMachine).slice(0, tooMany);
      if (out.length < tooMany) throw new TooManyPatternsError(MAX_ENABLED_PER_METRIC);
      disabled = await this.patterns.disable(
        orgId,
        out.map(({ id }) => id),
        tx,
      );
    }
    return { id: await this.patterns.insert(pattern, tx), disabled };
  }

  /** Disables it and all patterns derived from it; returns the ids of those that were enabled. */
  async disable(orgId: number, id: number, { children }: { children: boolean }, tx: Tx): Promise<number[]> {
    const ids = children ? await this.patterns.withDescendants(orgId, id, tx) : [id];
    return this.patterns.disable(orgId, ids, tx);
  }

  /** Enables patterns again; returns their ids. */
  enable(orgId: number, ids: readonly number[], tx: Tx): Promise<number[]> {
    return this.patterns.enable(orgId, ids, tx);
  }

  update(...args: Parameters<PatternRepository['update']>): Promise<void> {
    return this.patterns.update(...args);
  }

  learntSince(...args: Parameters<PatternRepository['learntSince']>): Promise<Set<number>> {
    return this.patterns.learntSince(...args);
  }

  ofTrainings(orgId: number, trainingIds: readonly number[], tx: Tx): Promise<number[]> {
    return this.patterns.ofTrainings(orgId, trainingIds, tx);
  }

  /** Including the patterns of the trainings that wait to be built. */
  async removeOfTrainings(
    orgId: number,
    trainingIds: readonly number[],
    ids: readonly number[],
    tx: Tx,
  ): Promise<void> {
    await this.pending.removeOfTrainings(orgId, trainingIds, tx);
    await this.patterns.remove(orgId, ids, tx);
  }

  request(rows: readonly NewPendingPattern[], tx: Tx): Promise<void> {
    return this.pending.insert(rows, tx);
  }

  readyToBuild(limit: number): Promise<PendingPattern[]> {
    return this.pending.ready(limit);
  }

  lockPending(orgId: number, id: number, tx: Tx): Promise<boolean> {
    return this.pending.lock(orgId, id, tx);
  }

  async failPending(orgId: number, id: number, message: string): Promise<void> {
    await this.pending.setStatus(orgId, id, 'failed', message);
  }

  /** Returns the remaining number with the same progress. */
  async finishPending({ orgId, id, progressId }: PendingPattern, tx: Tx): Promise<number> {
    await this.pending.remove(orgId, id, tx);
    return progressId === null ? 0 : this.pending.countOfProgress(orgId, progressId, tx);
  }

  async pendingOf(orgId: number, anomalyIds: readonly number[]): Promise<PendingPattern[]> {
    if (anomalyIds.length === 0) return [];
    const { pending } = await this.pending.list(orgId, { anomalyIds }, { limit: 1000, offset: 0 });
    return pending;
  }

  /** By anomaly: the patterns trained from it, and the known problems that it resembles. */
  ofAnomalies(orgId: number, anomalyIds: readonly number[]): Promise<(Pattern & { ofAnomalyId: number })[]> {
    return this.patterns.ofAnomalies(orgId, anomalyIds);
  }

  /**
   * Appends changes of records to the event stream, where chips do not filter them. Call it as the last statement of
   * their transaction.
   */
  async announce(
    orgId: number,
    { created = [], updated = [] }: { created?: readonly number[]; updated?: readonly number[] },
    tx: Tx,
  ): Promise<void> {
    const ids = [...new Set([...created, ...updated])];
    const isNew = new Set(created);
    const patterns = ids.length === 0 ? [] : await this.patterns.findByIds(orgId, ids, tx);
    await this.stream.append(
      patterns.map(({ id }) => {
        return { orgId, type: isNew.has(id) ? 'pattern.created' : 'pattern.updated', subjectId: id } as const;
      }),
      tx,
    );
  }

  /** Reports a change to the event log and to listeners once it is committed. */
  report(
    type: 'pattern_created' | 'pattern_changed' | 'pattern_disabled',
    pattern: Pick<Pattern, 'id' | 'orgId' | 'metricId' | 'label' | 'origin'>,
    text: EventText,
    by: { userId?: number },
    tx: Tx,
  ): void {
    const { id, orgId, metricId, label, origin } = pattern;
    this.events.record(
      {
        orgId,
        type,
        level: 'info',
        message: (names) => `${text(names)}${label === '' ? '' : `: ${label}`}.`,
        metricId,
        ref: { kind: 'pattern', id: String(id) },
        details: { origin },
        timestamp: this.clock.now(),
        ...by,
      },
      tx,
    );
    afterCommit(tx, () => {
      this.changes.publish([
        { type: type === 'pattern_created' ? 'created' : 'updated', orgId, patternId: id, metricId },
      ]);
    });
  }
}

function runsOf(
  comparisons: readonly { agreed: readonly number[]; differed: readonly number[] }[],
): Map<number, AgreementRuns> {
  const runs = new Map<number, AgreementRuns>();
  const runOf = (id: number): AgreementRuns => {
    const run = runs.get(id) ?? { first: 0, longest: 0, last: 0, differed: false };
    runs.set(id, run);
    return run;
  };
  for (const { agreed, differed } of comparisons) {
    for (const run of differed.map(runOf)) Object.assign(run, { last: 0, differed: true });
    for (const run of agreed.map(runOf)) {
      if (!run.differed) run.first++;
      else run.longest = Math.max(run.longest, ++run.last);
    }
  }
  return runs;
}
