import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { actorOf } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { byCaller, byUser, ofMetric } from '../../platform/event/event.functions.js';
import { type EventText } from '../../platform/event/event.types.js';
import { DEFAULT_THRESHOLD, MAX_THRESHOLD } from '../../analysis/pattern/pattern.types.js';
import { PatternDirectoryService } from '../../analysis/pattern/pattern-directory.service.js';
import { type MatchValidatedDto } from './dto/match-answers.dto.js';
import { MatchActsService } from './match-acts.service.js';
import { MatchNotFoundError } from './match.errors.js';
import { type MatchOfEvent, MatchRepository } from './match.repository.js';
import { MatchService } from './match.service.js';

const MESSAGES: Readonly<Record<'true' | 'false' | 'null', EventText>> = {
  true: (names) => `The match${ofMetric(names)} was marked right${byUser(names)}.`,
  false: (names) => `The match${ofMetric(names)} was marked wrong${byUser(names)}; the pattern is stricter now.`,
  null: (names) => `The verdict on the match${ofMetric(names)} was undone${byUser(names)}.`,
};

/** Records that a match was judged. */
@Injectable()
export class MatchVerdictRecorderService {
  constructor(
    private readonly audit: AuditTrailService,
    private readonly events: EventRecorderService,
  ) {}

  async record(
    caller: KnownCaller,
    { id, orgId, metricId, patternId, validated }: MatchOfEvent,
    valid: boolean | null,
    tx: Tx,
  ): Promise<void> {
    const object = { type: 'match', id: String(id), name: '' };
    const changes = [{ field: 'validated', before: validated, after: valid }];
    await this.audit.record({ orgId, actor: actorOf(caller), action: 'match.validate', object, changes }, tx);
    this.events.record(
      {
        orgId,
        type: 'match_validated',
        level: 'info',
        message: MESSAGES[String(valid) as `${typeof valid}`],
        metricId,
        ref: { kind: 'match', id: String(id) },
        details: { valid, pattern_id: patternId },
        ...byCaller(caller),
      },
      tx,
    );
  }
}

/** Minimum difference of similarity between a right match and a wrong one. */
const STRICTER_BY = 0.001;

/** Verdicts of people on matches: a wrong match makes its pattern stricter, and becomes an anomaly. */
@Injectable()
export class MatchValidationService {
  constructor(
    private readonly matches: MatchRepository,
    private readonly records: MatchService,
    private readonly patterns: PatternDirectoryService,
    private readonly acts: MatchActsService,
    private readonly recorder: MatchVerdictRecorderService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * @param valid null: the verdict is undone, with all its effects
   * @throws MatchNotFoundError
   */
  async validate(caller: KnownCaller, id: number, valid: boolean | null): Promise<MatchValidatedDto> {
    const { id: orgId } = caller.org;
    await this.transactions.run(async (tx) => {
      const match = await this.matches.lock(orgId, id, tx);
      if (match === null) throw new MatchNotFoundError(id);
      if (match.validated === valid) return;
      await this.patterns.lockEnabled(orgId, [match.patternId], tx);
      await this.matches.update(orgId, id, { ...this.verdict(caller, valid), disabledPatternIds: [] }, tx);
      await this.withdraw(match, tx);
      // A person has confirmed this start, so it may recur.
      if (valid === true) await this.patterns.addStarts(orgId, [match.patternId], [match.startTimestamp], tx);
      if (valid === false) await this.refuse(match, tx);
      if (valid === null) await this.acts.removeCreatedAnomaly(match, tx);
      await this.recorder.record(caller, match, valid, tx);
      const { disabled, enabled } = await this.judgePattern(match, tx);
      const by = byCaller(caller);
      for (const pattern of await this.patterns.findByIds(orgId, disabled, tx)) {
        const text: EventText = (names) => `The pattern${ofMetric(names)} had wrong matches and is no longer compared`;
        this.patterns.report('pattern_disabled', pattern, text, by, tx);
      }
      for (const pattern of await this.patterns.findByIds(orgId, enabled, tx)) {
        const text: EventText = (names) =>
          `A verdict on a match${ofMetric(names)} was undone${byUser(names)}: the pattern is compared again`;
        this.patterns.report('pattern_changed', pattern, text, by, tx);
      }
      await this.patterns.announce(orgId, { updated: [match.patternId, ...disabled, ...enabled] }, tx);
    });
    const { match, pattern } = await this.records.find(caller, id);
    return { match, pattern, anomaly_id: match.anomaly_id, message: 'OK' };
  }

  private verdict(caller: KnownCaller, validated: boolean | null) {
    if (validated === null) return { validated, validatedBy: null, validatedAt: null };
    return { validated, validatedBy: userIdOf(caller), validatedAt: new Date(this.clock.now() * 1000) };
  }

  /** Undoes the effects of the current verdict, except on the pattern itself. */
  private async withdraw(match: MatchOfEvent, tx: Tx): Promise<void> {
    const { orgId, patternId, startTimestamp, validated } = match;
    if (validated === true) await this.patterns.removeStart(orgId, patternId, startTimestamp, tx);
    if (validated === false) await this.acts.takeAnomalyBack(match, tx);
  }

  private async refuse(match: MatchOfEvent, tx: Tx): Promise<void> {
    const { id: anomalyId, isNew } = await this.acts.toAnomaly(match, match.event, { quiet: true }, tx);
    const hasCreatedAnomaly = match.hasCreatedAnomaly || isNew;
    await this.matches.update(match.orgId, match.id, { anomalyId, hasCreatedAnomaly }, tx);
  }

  /**
   * Sets the threshold above all wrong matches; above MAX_THRESHOLD nothing could match. Returns the patterns that were
   * disabled for this reason, and those that were disabled because of this match and no longer need to be.
   */
  private async judgePattern(
    { orgId, patternId, disabledPatternIds }: MatchOfEvent,
    tx: Tx,
  ): Promise<{ disabled: number[]; enabled: number[] }> {
    const nearest = await this.matches.nearestWrong(orgId, patternId, tx);
    const invalidMatches = await this.matches.countWrong(orgId, patternId, tx);
    const similarityThreshold =
      nearest === null ? DEFAULT_THRESHOLD : Math.max(DEFAULT_THRESHOLD, nearest + STRICTER_BY);
    const change = { invalidMatches, similarityThreshold: Math.min(1, similarityThreshold) };
    await this.patterns.update(orgId, patternId, change, tx);
    if (similarityThreshold <= MAX_THRESHOLD) {
      return { disabled: [], enabled: await this.patterns.enable(orgId, disabledPatternIds, tx) };
    }
    const disabled = await this.patterns.disable(orgId, patternId, { children: true }, tx);
    await this.matches.noteDisabled(orgId, patternId, [...disabledPatternIds, ...disabled], tx);
    return { disabled, enabled: [] };
  }
}

const userIdOf = (caller: KnownCaller): number | null => (caller.kind === 'user' ? caller.userId : null);
