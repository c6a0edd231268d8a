import { Injectable } from '@nestjs/common';
import { Permission } from '#libs/contracts';
import { DemoAccountError, PermissionDeniedError } from '../../common/auth/auth.errors.js';
import { type Caller, type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { pageOf } from '../../common/paging/paging.js';
import { secondsOf } from '../../common/time.js';
import { type ProgressAnswerDto, type ProgressListDto, type TourDto } from './dto/progress-answers.dto.js';
import { type ProgressDto } from './dto/progress.dto.js';
import { type ListProgressParams, type UpdateProgressParams } from './dto/progress.params.js';
import { isKeptByService, TOUR_STEPS, TOUR_TITLE } from './guides.js';
import { OnboardingService } from './onboarding.service.js';
import { isFinal, percentOf } from './progress-state.js';
import { type ProgressEntity } from './progress.entity.js';
import {
  NotCancellableError,
  ProgressNotFoundError,
  ProgressOverError,
  StepKeptByServiceError,
  UnknownStepError,
} from './progress.errors.js';
import { type NewProgressRow, ProgressRepository } from './progress.repository.js';
import { type ProgressStep } from './progress.types.js';
import { ProgressService } from './progress.service.js';

type Change = Partial<Pick<ProgressEntity, 'status' | 'steps' | 'percent'>>;

/** Shows progress to people, and applies their actions. */
@Injectable()
export class ProgressGuideService {
  constructor(
    private readonly repository: ProgressRepository,
    private readonly progress: ProgressService,
    private readonly onboarding: OnboardingService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  async list(caller: KnownCaller, query: ListProgressParams): Promise<ProgressListDto> {
    const { id: orgId } = caller.org;
    const viewerId = userIdOf(caller);
    await this.onboarding.refresh(orgId);
    if (viewerId !== null) await this.tourOf(orgId, viewerId);
    const filter = { types: query.type, statuses: query.status, viewerId };
    const { rows, total } = await this.repository.list(orgId, filter, query);
    return { progress: rows.map(toDto), ...pageOf(query, total) };
  }

  /** The tour of the caller; a tour without user if the caller is not a user. */
  async tour(caller: Caller): Promise<TourDto> {
    if (caller.kind === 'user') return { progress: [toDto(await this.tourOf(caller.org.id, caller.userId))] };
    return { progress: [Object.assign(toDto({ ...this.newTour(0, null), id: 0 }), { id: null })] };
  }

  /** The progress records with these ids that the caller may see. */
  async findByIds(caller: KnownCaller, ids: readonly number[]): Promise<ProgressDto[]> {
    const rows = await this.repository.findMany(caller.org.id, ids);
    return rows.filter((row) => isVisibleTo(caller, row)).map(toDto);
  }

  /** @throws ProgressNotFoundError, ProgressOverError, NotCancellableError, StepKeptByServiceError, UnknownStepError */
  async update(caller: KnownCaller, id: number, params: UpdateProgressParams): Promise<ProgressAnswerDto> {
    const { id: orgId } = caller.org;
    const row = await this.repository.find(orgId, id);
    if (!row || !isVisibleTo(caller, row)) throw new ProgressNotFoundError(id);
    if (row.type !== 'tour') requireWrite(caller);
    if (row.type === 'onboarding') await this.onboarding.refresh(orgId);
    const { step, done, cancel } = params;
    const wasCancelled = await this.transactions.run(async (tx) => {
      const held = await this.repository.lock(orgId, id, tx);
      if (!held) throw new ProgressNotFoundError(id);
      if (step !== undefined) await this.tick(held, step, done, tx);
      return cancel === true && (await this.cancel(held, tx));
    });
    if (wasCancelled) this.progress.noteCancelled(id);
    const after = await this.repository.find(orgId, id);
    if (!after) throw new ProgressNotFoundError(id);
    return { progress: toDto(after), message: 'OK' };
  }

  private async tick(row: ProgressEntity, key: string, done: boolean, tx: Tx): Promise<void> {
    const step = row.steps.find((one) => one.key === key);
    if (!step)
      throw new UnknownStepError(
        key,
        row.steps.map((one) => one.key),
      );
    if (step.done === done) return;
    if (isKept(row, step)) throw new StepKeptByServiceError(key);
    if (isFinal(row.status)) throw new ProgressOverError(row.id, row.status);
    const timestamp = done ? Math.floor(this.clock.now()) : null;
    const steps = row.steps.map((one) => (one === step ? { ...one, done, timestamp } : one));
    const isOver = steps.every((one) => one.done);
    await this.store(row, { steps, percent: percentOf(steps), ...(isOver ? { status: 'finished' } : {}) }, tx);
  }

  /** Returns true if it was running until now. */
  private async cancel(row: ProgressEntity, tx: Tx): Promise<boolean> {
    if (row.status === 'cancelled') return false;
    if (isFinal(row.status)) throw new ProgressOverError(row.id, row.status);
    if (!row.cancellable) throw new NotCancellableError(row.id);
    await this.store(row, { status: 'cancelled' }, tx);
    return true;
  }

  private async store({ orgId, id }: ProgressEntity, change: Change, tx: Tx): Promise<void> {
    const now = this.now();
    const end = change.status === undefined ? {} : { finishedAt: now, cancellable: false };
    await this.repository.update(orgId, id, { ...change, updatedAt: now, ...end }, tx);
    await this.progress.notify(orgId, id, tx);
  }

  private async tourOf(orgId: number, userId: number): Promise<ProgressEntity> {
    const known = await this.repository.tour(orgId, userId);
    if (known) return known;
    await this.repository.insertOnce(this.newTour(orgId, userId));
    const created = await this.repository.tour(orgId, userId);
    if (!created) throw new Error(`The tour of user ${String(userId)} could not be created`);
    return created;
  }

  private newTour(orgId: number, userId: number | null): NewProgressRow {
    const now = this.now();
    return {
      orgId,
      userId,
      type: 'tour',
      title: TOUR_TITLE,
      status: 'running',
      percent: 0,
      message: '',
      steps: TOUR_STEPS.map((step) => ({ ...step, done: false, timestamp: null })),
      result: null,
      error: null,
      // Users who do not want it can dismiss it.
      cancellable: true,
      createdAt: now,
      updatedAt: now,
      finishedAt: null,
    };
  }

  private now(): Date {
    return new Date(this.clock.now() * 1000);
  }
}

const userIdOf = (caller: KnownCaller): number | null => (caller.kind === 'user' ? caller.userId : null);

/** True if people cannot mark or unmark a step. */
function isKept({ type }: ProgressEntity, { key, observed }: ProgressStep): boolean {
  if (type === 'tour') return false;
  return type !== 'onboarding' || observed === true || isKeptByService(key);
}

function isVisibleTo(caller: KnownCaller, row: ProgressEntity): boolean {
  return row.type !== 'tour' || (row.userId !== null && row.userId === userIdOf(caller));
}

function requireWrite(caller: KnownCaller): void {
  if ((caller.permissions & Permission.Write) !== 0) return;
  throw caller.kind === 'user' && caller.demo ? new DemoAccountError('write') : new PermissionDeniedError('write');
}

function toDto(row: ProgressEntity): ProgressDto {
  return {
    id: row.id,
    type: row.type,
    title: row.title,
    status: row.status,
    percent: row.percent,
    message: row.message,
    steps: row.steps.map(({ key, title, done, timestamp }) => ({ key, title, done, timestamp })),
    result: row.result === null ? null : { ...row.result },
    error: row.error,
    user_id: row.userId,
    cancellable: row.cancellable,
    created_timestamp: secondsOf(row.createdAt),
    updated_timestamp: secondsOf(row.updatedAt),
    finished_timestamp: row.finishedAt === null ? null : secondsOf(row.finishedAt),
  };
}
