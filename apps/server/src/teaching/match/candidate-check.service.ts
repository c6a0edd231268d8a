import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AnomalyEvent } from '#libs/detection';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { DAY } from '../../common/time.js';
import { CandidateGateService } from './candidate-gate.service.js';
import { CandidateRepository, type CandidateRow, keyOf } from './candidate.repository.js';
import { CandidateJudgeService, type Verdict } from './candidate-judge.service.js';
import { CandidateVerdictsService, type Choice } from './candidate-verdicts.service.js';
import { PatternLearningService } from './pattern-learning.service.js';
import { groupedBy, batchOrEach } from './batches.js';

const EVERY_MS = 500;
/** Number of candidates whose series are in memory at the same time. */
const AT_ONCE = 64;
/** Time after which a check whose process has died is taken over, in seconds. */
const LEASE = 30;

/**
 * Checks candidates against the patterns of their metrics as soon as they exist, and again while the verdict may
 * change: a job that ends too early is alike until its end.
 */
@Injectable()
export class CandidateCheckService extends RecurringWork implements OnModuleInit {
  private currentRun: Promise<void> | undefined;
  private isRerunRequested = false;

  constructor(
    private readonly gate: CandidateGateService,
    private readonly candidates: CandidateRepository,
    private readonly judge: CandidateJudgeService,
    private readonly verdicts: CandidateVerdictsService,
    private readonly learning: PatternLearningService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Candidates could not be checked', logEvery: 60, role: 'detect' });
  }

  onModuleInit(): void {
    this.gate.onCandidates(() => {
      if (this.isWanted() && !this.isStopping) void this.runAndLog();
    });
  }

  /** One round at a time; a call during a round starts another one afterwards. */
  run(): Promise<void> {
    if (this.currentRun !== undefined) {
      this.isRerunRequested = true;
      return this.currentRun;
    }
    this.currentRun = this.rounds().finally(() => (this.currentRun = undefined));
    return this.currentRun;
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.currentRun?.catch(() => undefined);
  }

  private async rounds(): Promise<void> {
    for (this.isRerunRequested = true; this.isRerunRequested && !this.isStopping;) {
      this.isRerunRequested = false;
      await this.repeat(AT_ONCE, async () => {
        const now = this.clock.now();
        const claimed = await this.candidates.claim(now, now + LEASE, AT_ONCE);
        for (const [orgId, rows] of groupedBy(claimed, (row) => row.orgId)) {
          if (!this.isStopping) await batchOrEach(rows, (some) => this.check(orgId, some));
        }
        return claimed.length;
      });
    }
  }

  /** Checks candidates of one organisation, each step for all of them together. */
  private async check(orgId: number, rows: readonly CandidateRow[]): Promise<void> {
    const verdicts = await this.judge.judgeAll(orgId, rows);
    const judged = rows.map((row, i) => ({ row, verdict: verdicts[i]! }));
    const final = await this.transactions.run((tx) => this.conclude(orgId, judged, tx));
    await this.learning.learn(orgId, final);
  }

  /**
   * Skips candidates that another process has concluded meanwhile. Returns the matches that will not change any more.
   */
  private async conclude(
    orgId: number,
    judged: readonly { row: CandidateRow; verdict: Verdict }[],
    tx: Tx,
  ): Promise<Choice[]> {
    const claimed = new Map(judged.map((one) => [keyOf(one.row), one]));
    const held = await this.candidates.lockMany(
      judged.map(({ row }) => row),
      tx,
    );
    const choices = await this.verdicts.choose(
      orgId,
      held.map((row) => ({ row, verdict: claimed.get(keyOf(row))!.verdict })),
      tx,
    );
    const now = this.clock.now();
    const over: Choice[] = [];
    const next: CandidateRow[] = [];
    for (const choice of choices) {
      const { row, verdict } = choice;
      const state = this.verdicts.stateAfter(choice);
      // The detector may have sent a newer event since the comparison.
      const isLatest = row.revision === claimed.get(keyOf(row))!.row.revision;
      if (state === null || (isLatest && isOver(row.event, state, verdict, now))) over.push(choice);
      else next.push({ ...row, state, checkAt: isLatest ? now + verdict.stepSeconds : now });
    }
    const final = over.filter((choice) => this.verdicts.stateAfter(choice) === 'matched');
    await this.candidates.remove(
      over.map(({ row }) => row),
      tx,
    );
    await this.candidates.set(next, tx);
    const trusted = await this.verdicts.finish(orgId, final, tx);
    const created = await this.verdicts.apply(orgId, choices, tx);
    await this.verdicts.announce(orgId, created, trusted, tx);
    return final;
  }
}

/** True if no later data can change the verdict. */
function isOver(event: AnomalyEvent, state: CandidateRow['state'], verdict: Verdict, now: number): boolean {
  if (state === 'open') return event.type === 'closed';
  const isComplete = verdict.completeAt !== null && verdict.newest >= verdict.completeAt;
  const isSilent = now > Math.max(verdict.completeAt ?? 0, event.startTimestamp) + DAY;
  return event.type === 'closed' && (isComplete || isSilent);
}
