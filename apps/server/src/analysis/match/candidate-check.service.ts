import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AnomalyEvent } from '#libs/detection';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { DAY } from '../../common/time.js';
import { CandidateGate } from './candidate-gate.service.js';
import { CandidateRepository, type CandidateRow } from './candidate.repository.js';
import { CandidateJudge, type Verdict } from './candidate-judge.service.js';
import { CandidateVerdicts } from './candidate-verdicts.service.js';
import { type MatchNews } from './match-acts.service.js';
import { PatternLearning } from './pattern-learning.service.js';

const EVERY_MS = 500;
const AT_ONCE = 50;
/** Candidates whose series are read at the same time. */
const SIDE_BY_SIDE = 4;
/** A check that died with its process is taken up again after so long, seconds. */
const LEASE = 30;

/**
 * Checks candidates against the patterns of their metrics, as soon as they are there and again for as long as the verdict
 * may change: a job that ends too early was alike until then.
 */
@Injectable()
export class CandidateCheck extends RecurringWork implements OnModuleInit {
  private going: Promise<void> | undefined;
  private isAskedAgain = false;

  constructor(
    private readonly gate: CandidateGate,
    private readonly candidates: CandidateRepository,
    private readonly judge: CandidateJudge,
    private readonly verdicts: CandidateVerdicts,
    private readonly learning: PatternLearning,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Candidates could not be checked', logEvery: 60, role: 'detect' });
  }

  onModuleInit(): void {
    this.gate.onNews(() => {
      if (this.isWanted() && !this.isStopping) void this.runAndLog();
    });
  }

  /** One round at a time; who asks during one has it followed by another. */
  run(): Promise<void> {
    if (this.going !== undefined) {
      this.isAskedAgain = true;
      return this.going;
    }
    this.going = this.rounds().finally(() => (this.going = undefined));
    return this.going;
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.going?.catch(() => undefined);
  }

  private async rounds(): Promise<void> {
    for (this.isAskedAgain = true; this.isAskedAgain && !this.isStopping;) {
      this.isAskedAgain = false;
      await this.repeat(AT_ONCE, async () => {
        const now = this.clock.now();
        const due = await this.candidates.claim(now, now + LEASE, AT_ONCE);
        await this.checkAll(due);
        return due.length;
      });
    }
  }

  private async checkAll(due: readonly CandidateRow[]): Promise<void> {
    const waiting = [...due];
    const work = async (): Promise<void> => {
      for (let row = waiting.shift(); row !== undefined && !this.isStopping; row = waiting.shift())
        await this.check(row);
    };
    const outcomes = await Promise.allSettled(Array.from({ length: SIDE_BY_SIDE }, work));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason as Error;
  }

  private async check(row: CandidateRow): Promise<void> {
    const verdict = await this.judge.judge(row);
    const concluded = await this.transactions.run((tx) => this.conclude(row, verdict, tx));
    if (concluded === null) return;
    this.verdicts.tell(concluded.news);
    if (concluded.isFinal) await this.learning.learn(row, verdict);
  }

  /** Null where somebody else has concluded meanwhile. */
  private async conclude(
    row: CandidateRow,
    verdict: Verdict,
    tx: Tx,
  ): Promise<{ news: MatchNews; isFinal: boolean } | null> {
    const [held] = await this.candidates.holdMany([row], tx);
    if (held === undefined) return null;
    const isLatest = held.revision === row.revision;
    const { state, news } = await this.verdicts.apply(held, verdict, tx);
    const isOver = state === null || (isLatest && this.isOver(held.event, state, verdict));
    if (isOver) {
      await this.candidates.remove(held, tx);
      if (state === 'matched') await this.verdicts.finish(held, verdict, tx);
    } else {
      const next = isLatest ? this.clock.now() + verdict.stepSeconds : this.clock.now();
      await this.candidates.set(held, state, next, tx);
    }
    return { news, isFinal: isOver && state === 'matched' };
  }

  /** Nothing that may still come changes the verdict. */
  private isOver(event: AnomalyEvent, state: CandidateRow['state'], verdict: Verdict): boolean {
    if (state === 'open') return event.type === 'closed';
    const isComplete = verdict.completeAt !== null && verdict.newest >= verdict.completeAt;
    const isSilent = this.clock.now() > Math.max(verdict.completeAt ?? 0, event.startTimestamp) + DAY;
    return event.type === 'closed' && (isComplete || isSilent);
  }
}
