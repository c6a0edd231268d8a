import { Injectable } from '@nestjs/common';
import { type OnboardingFlag, type OnboardingStatusId } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { OrgService } from '../org/org.service.js';
import { UserService } from '../user/user.service.js';
import { ONBOARDING_STEPS, ONBOARDING_TITLE } from './guides.js';
import { isFinal, percentOf } from './progress-state.js';
import { type ProgressEntity } from './progress.entity.js';
import { type OnboardingFacts, ProgressRepository } from './progress.repository.js';
import { type ProgressStep } from './progress.types.js';

const STATUS_TEXTS: Readonly<Record<OnboardingStatusId, string>> = {
  1: 'Nothing has been received yet.',
  100: 'The first data has arrived.',
  200: 'A metric has 100 points: the analysis has begun.',
  300: 'A metric has a day of data: the analysis is live.',
};

/** Flags of acts that complete a step. */
type ActFlag = Extract<OnboardingFlag, 'alert_created' | 'test_alert_sent' | 'pattern_trained'>;

/** Onboarding of organisations: their status, and the progress that shows it. */
@Injectable()
export class OnboardingService {
  constructor(
    private readonly repository: ProgressRepository,
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly events: EventRecorderService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Raises the onboarding status; a status lower than the current one has no effect. Returns true if it increased. */
  async advance(orgId: number, statusId: OnboardingStatusId): Promise<boolean> {
    if (!(await this.orgs.advanceOnboarding(orgId, statusId))) return false;
    this.events.record({
      orgId,
      type: 'onboarding_changed',
      level: 'info',
      message: STATUS_TEXTS[statusId],
      details: { onboarding_status_id: statusId },
    });
    await this.refresh(orgId);
    return true;
  }

  /** The id of the organisation's onboarding in GET /progress. */
  async progressId(orgId: number): Promise<number | null> {
    return (await this.refresh(orgId))?.id ?? null;
  }

  /**
   * Completes the step of an act of a user or a token, after the commit. Acts of the service itself, as in a demo, do not
   * count.
   */
  async noteDone(caller: KnownCaller, flag: ActFlag): Promise<void> {
    const { id: orgId } = caller.org;
    if (caller.kind === 'user' && !caller.onboardingFlags[flag]) {
      await this.users.setFlags(orgId, caller.userId, { [flag]: true });
    }
    const isOfService = caller.kind === 'token' && caller.tokenRef === 0;
    await this.refresh(orgId, isOfService ? [] : [flag]);
  }

  /**
   * Completes the steps that are done according to the status, the flags of users and the given flags, before the progress
   * is shown. Null if the organisation does not exist.
   */
  async refresh(orgId: number, flags: readonly ActFlag[] = []): Promise<ProgressEntity | null> {
    const facts = await this.repository.onboardingFacts(orgId);
    if (!facts) return null;
    const completed = completedSteps({ ...facts, flags: [...facts.flags, ...flags] });
    const row = (await this.repository.onboarding(orgId)) ?? (await this.begin(orgId));
    if (!row || !isBehind(row, completed)) return row;
    await this.transactions.run(async (tx) => {
      const held = await this.repository.lock(orgId, row.id, tx);
      if (!held || !isBehind(held, completed)) return;
      const now = Math.floor(this.clock.now());
      const steps = held.steps.map((step) =>
        completed.has(step.key)
          ? { ...step, done: true, timestamp: step.done ? step.timestamp : now, observed: true }
          : step,
      );
      const updatedAt = new Date(this.clock.now() * 1000);
      const end = steps.every(({ done }) => done) ? { status: 'finished' as const, finishedAt: updatedAt } : {};
      await this.repository.update(orgId, row.id, { steps, percent: percentOf(steps), updatedAt, ...end }, tx);
    });
    return this.repository.onboarding(orgId);
  }

  private async begin(orgId: number): Promise<ProgressEntity | null> {
    const now = new Date(this.clock.now() * 1000);
    await this.repository.insertOnce({
      orgId,
      userId: null,
      type: 'onboarding',
      title: ONBOARDING_TITLE,
      status: 'running',
      percent: 0,
      message: '',
      steps: ONBOARDING_STEPS.map(({ key, title }) => ({ key, title, done: false, timestamp: null })),
      result: null,
      error: null,
      cancellable: false,
      createdAt: now,
      updatedAt: now,
      finishedAt: null,
    });
    return this.repository.onboarding(orgId);
  }
}

function completedSteps({ statusId, flags }: OnboardingFacts): Set<string> {
  const isDone = (doneBy: OnboardingStatusId | OnboardingFlag): boolean =>
    typeof doneBy === 'number' ? statusId >= doneBy : flags.includes(doneBy);
  return new Set(ONBOARDING_STEPS.filter(({ doneBy }) => isDone(doneBy)).map(({ key }) => key));
}

function isBehind(
  { status, steps }: { status: ProgressEntity['status']; steps: ProgressStep[] },
  completed: Set<string>,
): boolean {
  return !isFinal(status) && steps.some(({ key, observed }) => observed !== true && completed.has(key));
}
