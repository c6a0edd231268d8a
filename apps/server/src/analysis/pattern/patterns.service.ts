import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Shape } from '#libs/patterns';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { TooManyPatternsError } from './pattern.errors.js';
import { PatternEvents } from './pattern.events.js';
import { PatternChecks } from './pattern-checks.service.js';
import { type ComparableRow, PatternRepository } from './pattern.repository.js';
import {
  type ComparablePattern,
  MAX_ENABLED_PER_METRIC,
  type NewPattern,
  type Pattern,
  type PendingPattern,
} from './pattern.types.js';
import { type NewPendingPattern, PendingPatternRepository } from './pending-pattern.repository.js';

/** Times that trusted patterns have to say the same before a shadow is trusted, too. */
const AGREEMENTS_TO_TRUST = 3;

/** Shapes in memory, 1 to 10 KB each. */
const KEPT_SHAPES = 20_000;

/** Patterns as the areas use them that make them and compare with them. */
@Injectable()
export class Patterns {
  private readonly shapes = new LRUCache<number, Shape>({ max: KEPT_SHAPES });

  constructor(
    private readonly patterns: PatternRepository,
    private readonly pending: PendingPatternRepository,
    private readonly checks: PatternChecks,
    private readonly changes: PatternEvents,
    private readonly events: EventRecorder,
    private readonly clock: Clock,
  ) {}

  find(orgId: number, id: number, tx?: Tx): Promise<Pattern | null> {
    return this.patterns.find(orgId, id, tx);
  }

  findByIds(orgId: number, ids: readonly number[], tx?: Tx): Promise<Pattern[]> {
    return this.patterns.findByIds(orgId, ids, tx);
  }

  /** Enabled ones with their shapes. */
  async comparable(orgId: number, metricIds: readonly number[], tx?: Tx): Promise<ComparablePattern[]> {
    return this.withShapes(orgId, await this.patterns.comparable(orgId, metricIds, tx));
  }

  async comparableById(orgId: number, id: number): Promise<ComparablePattern | null> {
    const row = await this.patterns.comparableById(orgId, id);
    return row === null ? null : ((await this.withShapes(orgId, [row]))[0] ?? null);
  }

  /** Shapes never change, so each is read once. */
  private async withShapes(orgId: number, rows: readonly ComparableRow[]): Promise<ComparablePattern[]> {
    const unknown = rows.filter(({ id }) => !this.shapes.has(id)).map(({ id }) => id);
    const read = await this.patterns.shapes(orgId, unknown);
    for (const [id, shape] of read) this.shapes.set(id, shape);
    return rows.flatMap((row) => {
      const shape = read.get(row.id) ?? this.shapes.get(row.id);
      return shape === undefined ? [] : [{ ...row, shape }];
    });
  }

  metricsWithPatterns(metricIds: readonly number[], tx: Tx) {
    return this.patterns.metricsWithPatterns(metricIds, tx);
  }

  /** Those that are enabled, and stay so until `tx` ends. */
  holdEnabled(orgId: number, ids: readonly number[], tx: Tx): Promise<Set<number>> {
    return this.patterns.holdEnabled(orgId, ids, tx);
  }

  /** They were compared once more; written down within half a minute. */
  noteChecks(orgId: number, ids: Iterable<number>): void {
    this.checks.note(orgId, ids);
  }

  addMatch(orgId: number, id: number, at: number, tx: Tx): Promise<void> {
    return this.patterns.addMatch(orgId, id, at, tx);
  }

  takeMatchBack(orgId: number, id: number, tx: Tx): Promise<void> {
    return this.patterns.takeMatchBack(orgId, id, tx);
  }

  /** What shadows said beside trusted patterns: those that agreed often enough are trusted from now on. */
  noteAgreement(
    orgId: number,
    said: { agreed: readonly number[]; differed: readonly number[] },
    tx: Tx,
  ): Promise<number[]> {
    return this.patterns.noteAgreement(orgId, said, AGREEMENTS_TO_TRUST, tx);
  }

  addStarts(orgId: number, ids: readonly number[], starts: readonly number[], tx: Tx): Promise<void> {
    return this.patterns.addStarts(orgId, ids, starts, tx);
  }

  noteResemblance(orgId: number, anomalyId: number, ids: readonly number[], tx: Tx): Promise<void> {
    return this.patterns.noteResemblance(orgId, anomalyId, ids, tx);
  }

  /**
   * Stores a pattern; where the metric has as many as it may, the oldest that the machine made are disabled first.
   * @throws TooManyPatternsError
   */
  async create(pattern: NewPattern, tx: Tx): Promise<number> {
    const { orgId, metricId } = pattern;
    const enabled = await this.patterns.enabledOf(orgId, metricId, tx);
    const tooMany = enabled.length + 1 - MAX_ENABLED_PER_METRIC;
    if (tooMany > 0) {
      const out = enabled.filter(({ isMachine }) => isMachine).slice(0, tooMany);
      if (out.length < tooMany) throw new TooManyPatternsError(MAX_ENABLED_PER_METRIC);
      await this.patterns.disable(
        orgId,
        out.map(({ id }) => id),
        tx,
      );
    }
    return this.patterns.insert(pattern, tx);
  }

  /** With all that was derived from it, at once; answers the ids of those that were enabled until now. */
  async disable(orgId: number, id: number, { children }: { children: boolean }, tx: Tx): Promise<number[]> {
    const ids = children ? await this.patterns.withDescendants(orgId, id, tx) : [id];
    return this.patterns.disable(orgId, ids, tx);
  }

  update(...args: Parameters<PatternRepository['update']>): Promise<void> {
    return this.patterns.update(...args);
  }

  hasLearntSince(orgId: number, metricId: number, since: Date, tx: Tx): Promise<boolean> {
    return this.patterns.hasLearntSince(orgId, metricId, since, tx);
  }

  ofTrainings(orgId: number, trainingIds: readonly number[], tx: Tx): Promise<number[]> {
    return this.patterns.ofTrainings(orgId, trainingIds, tx);
  }

  /** With all that waits to be built of the trainings. */
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

  holdPending(orgId: number, id: number, tx: Tx): Promise<boolean> {
    return this.pending.hold(orgId, id, tx);
  }

  async failPending(orgId: number, id: number, message: string): Promise<void> {
    await this.pending.setStatus(orgId, id, 'failed', message);
  }

  /** Answers how many of the same progress are left. */
  async finishPending({ orgId, id, progressId }: PendingPattern, tx: Tx): Promise<number> {
    await this.pending.remove(orgId, id, tx);
    return progressId === null ? 0 : this.pending.countOfProgress(orgId, progressId, tx);
  }

  async pendingOf(orgId: number, anomalyIds: readonly number[]): Promise<PendingPattern[]> {
    if (anomalyIds.length === 0) return [];
    const { pending } = await this.pending.list(orgId, { anomalyIds }, { limit: 1000, offset: 0 });
    return pending;
  }

  /** By anomaly: what was trained from it, and the known problems it looks like. */
  ofAnomalies(orgId: number, anomalyIds: readonly number[]): Promise<(Pattern & { ofAnomalyId: number })[]> {
    return this.patterns.ofAnomalies(orgId, anomalyIds);
  }

  /** To be called once a change is committed. */
  report(
    type: 'pattern_created' | 'pattern_changed' | 'pattern_disabled',
    pattern: Pick<Pattern, 'id' | 'orgId' | 'metricId' | 'label' | 'origin'>,
    text: string,
    by: { userId?: number } = {},
  ): void {
    const { id, orgId, metricId, label, origin } = pattern;
    this.events.record({
      orgId,
      type,
      level: 'info',
      message: `${text}${label === '' ? '' : `: ${label}`}.`,
      metricId,
      ref: { kind: 'pattern', id: String(id) },
      details: { origin },
      timestamp: this.clock.now(),
      ...by,
    });
    this.changes.publish([
      { type: type === 'pattern_created' ? 'created' : 'updated', orgId, patternId: id, metricId },
    ]);
  }
}
