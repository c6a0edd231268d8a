import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { messageOf } from '../../common/errors/message-of.js';
import { currentRequest } from '../../common/http/request-context.js';
import { StreamLogService } from '../../platform/stream-log/stream-log.service.js';
import { isFinal, percentOf } from './progress-state.js';
import { type NewProgressRow, ProgressRepository } from './progress.repository.js';
import { type NewProgress, type ProgressStatus, type ProgressStep } from './progress.types.js';

/** Interval in which work is notified of a cancellation that another process handled. */
const WATCH_EVERY_MS = 2000;

interface Watched {
  orgId: number;
  isCancelled: () => void;
}

/**
 * Work that takes longer than a request, shown to people by GET /progress: the area that does the work reports its
 * progress. A report on work that is over (also cancelled) changes nothing and returns false: then the work should
 * stop.
 */
@Injectable()
export class ProgressService implements OnModuleDestroy {
  private readonly logger = new Logger(ProgressService.name);
  /** Work of this process that wants to be notified of its cancellation, by id. */
  private readonly watched = new Map<number, Watched>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: ProgressRepository,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly stream: StreamLogService,
  ) {}

  onModuleDestroy(): void {
    this.watched.clear();
    clearInterval(this.timer);
  }

  /** Returns the id: `progress_id` of the answer to the request that starts the work. */
  async create(progress: NewProgress, tx?: Tx): Promise<number> {
    const { orgId, userId = null, type, title, steps = [], cancellable = false, status = 'running' } = progress;
    const now = this.now();
    const row: NewProgressRow = {
      orgId,
      userId,
      type,
      title,
      status,
      percent: 0,
      message: progress.message ?? '',
      steps: steps.map((step) => ({ key: step.key, title: step.title, done: false, timestamp: null })),
      result: null,
      error: null,
      cancellable,
      createdAt: now,
      updatedAt: now,
      finishedAt: null,
    };
    const insert = async (inner: Tx): Promise<number> => {
      const id = await this.repository.insert(row, inner);
      await this.notify(orgId, id, inner);
      return id;
    };
    return tx ? insert(tx) : this.transactions.run(insert);
  }

  /** Work on the queued item has started. */
  start(orgId: number, id: number, tx?: Tx): Promise<boolean> {
    return this.change(orgId, id, () => ({ status: 'running' }), tx);
  }

  /** Marks a step as done and updates the percentage. */
  step(orgId: number, id: number, key: string, message?: string, tx?: Tx): Promise<boolean> {
    const timestamp = Math.floor(this.clock.now());
    return this.change(
      orgId,
      id,
      (row) => {
        const steps = row.steps.map((step) =>
          step.key === key && !step.done ? { ...step, done: true, timestamp } : step,
        );
        return { status: 'running', steps, percent: percentOf(steps), ...textOf(message) };
      },
      tx,
    );
  }

  /** For work without steps. `percent` 0..100; it never decreases. */
  advance(orgId: number, id: number, percent: number, message?: string, tx?: Tx): Promise<boolean> {
    const whole = Math.max(0, Math.min(100, Math.floor(percent)));
    return this.change(
      orgId,
      id,
      (row) => ({ status: 'running', percent: Math.max(row.percent, whole), ...textOf(message) }),
      tx,
    );
  }

  /** Steps that were not needed stay open. `result` is for machines. */
  async finish(
    orgId: number,
    id: number,
    outcome: { message?: string; result?: Record<string, unknown> } = {},
    tx?: Tx,
  ): Promise<boolean> {
    this.watched.delete(id);
    const { message, result = null } = outcome;
    return this.change(orgId, id, () => ({ status: 'finished', percent: 100, result, ...textOf(message) }), tx);
  }

  /** `error` is for people: no stack, no SQL. */
  async fail(orgId: number, id: number, error: string, tx?: Tx): Promise<boolean> {
    this.watched.delete(id);
    return this.change(orgId, id, () => ({ status: 'failed', error }), tx);
  }

  /**
   * Calls `stop` once if the work is cancelled, in any process, within some seconds. The process that does the work
   * calls this method; `finish`, `fail` and the returned function end the watch.
   */
  onCancel(orgId: number, id: number, stop: () => void): () => void {
    this.watched.set(id, { orgId, isCancelled: stop });
    // Belongs to no request: it checks all watched work.
    this.timer ??= currentRequest.exit(() => setInterval(() => void this.checkWatched(), WATCH_EVERY_MS)).unref();
    return () => void this.watched.delete(id);
  }

  /** Immediately notifies work of this process that it was cancelled. */
  noteCancelled(id: number): void {
    const watched = this.watched.get(id);
    if (!watched) return;
    this.watched.delete(id);
    watched.isCancelled();
  }

  /** Checks whether the watched work is still running. */
  async checkWatched(): Promise<void> {
    if (this.watched.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    try {
      const ids = [...this.watched];
      for (const orgId of new Set(ids.map(([, watched]) => watched.orgId))) {
        const own = ids.filter(([, watched]) => watched.orgId === orgId).map(([id]) => id);
        const running = await this.repository.listRunning(orgId, own);
        for (const id of own) if (!running.has(id)) this.noteCancelled(id);
      }
    } catch (error) {
      this.logger.warn(`Whether work was cancelled could not be looked up: ${messageOf(error)}`);
    }
  }

  private async change(
    orgId: number,
    id: number,
    changeOf: (row: { steps: ProgressStep[]; percent: number }) => Change,
    tx?: Tx,
  ): Promise<boolean> {
    const work = async (inner: Tx): Promise<boolean> => {
      const row = await this.repository.lock(orgId, id, inner);
      if (!row || isFinal(row.status)) return false;
      const change = changeOf(row);
      const now = this.now();
      const end = isFinal(change.status) ? { finishedAt: now, cancellable: false } : {};
      await this.repository.update(orgId, id, { ...change, updatedAt: now, ...end }, inner);
      await this.notify(orgId, id, inner);
      return true;
    };
    return tx ? work(tx) : this.transactions.run(work);
  }

  /** Listeners of the event stream are notified after the commit. */
  notify(orgId: number, id: number, tx: Tx): Promise<void> {
    return this.stream.append([{ orgId, type: 'progress', subjectId: id }], tx);
  }

  private now(): Date {
    return new Date(this.clock.now() * 1000);
  }
}

interface Change {
  status: ProgressStatus;
  steps?: ProgressStep[];
  percent?: number;
  message?: string;
  result?: Record<string, unknown> | null;
  error?: string;
}

const textOf = (message: string | undefined): { message?: string } => (message === undefined ? {} : { message });
