import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { messageOf } from '../../common/errors/message-of.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { WorkerGoneError } from '../../common/workers/worker-channel.js';
import { BenchmarkAnnouncementsService } from './benchmark-announcements.service.js';
import { BENCHMARK_MODELS } from './benchmark-models.types.js';
import { type BenchmarkEntity } from './benchmark.entity.js';
import { BenchmarkRepository } from './benchmark.repository.js';
import { type ModelProgress } from './benchmark.types.js';
import { packChart, unpackColumns } from './chart-rows.js';
import { ModelExecutor } from './model-executor.js';

const LOOK_EVERY_MS = 1000;
/** Maximum number of running benchmarks of different parties in a process; their models run in rotation. */
const MAX_RUNNING = 8;
/** A running process reports itself in every round, so this is many rounds. */
const ABANDONED_SECONDS = 60;
/** Maximum number of attempts for a benchmark whose process ends in the meantime; then it fails. */
const MAX_TRIES = 3;

/**
 * Runs benchmarks in the background, those of each user, token or address sequentially. If a process dies, others or
 * its successor continue its benchmarks; results of models so far are kept.
 */
@Injectable()
export class BenchmarkRunnerService extends RecurringWork {
  private readonly runningById = new Map<string, Promise<void>>();
  private looking: Promise<void> = Promise.resolve();

  constructor(
    private readonly benchmarks: BenchmarkRepository,
    private readonly announcements: BenchmarkAnnouncementsService,
    private readonly executor: ModelExecutor,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    super({ everyMs: LOOK_EVERY_MS, failure: 'Queued benchmarks could not be read', logEvery: 60, role: 'api' });
  }

  /** There is one more. */
  wake(): void {
    if (this.isWanted() && !this.isStopping) void this.runAndLog();
  }

  /** Claims waiting jobs. One round runs at a time. */
  run(): Promise<void> {
    const round = this.looking.then(() => this.startNext());
    this.looking = round.catch(() => undefined);
    return round;
  }

  private async startNext(): Promise<void> {
    await this.benchmarks.beat([...this.runningById.keys()], this.now());
    await this.requeueAbandoned();
    while (!this.isStopping && this.runningById.size < MAX_RUNNING) {
      const row = await this.benchmarks.claimNext(this.clock.now());
      if (!row) return;
      this.begin(row);
    }
  }

  /** Waits for those that are running in this process. */
  async settled(): Promise<void> {
    await this.looking;
    while (this.runningById.size > 0) {
      await Promise.all(this.runningById.values());
      await this.looking;
    }
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.settled();
  }

  private begin(row: BenchmarkEntity): void {
    const work = this.runOne(row)
      .catch((error: unknown) =>
        this.logger.error(`The benchmark of ${String(row.createdAt)} failed: ${messageOf(error)}`),
      )
      .finally(() => {
        this.runningById.delete(row.key);
        this.wake();
      });
    this.runningById.set(row.key, work);
  }

  private async runOne(row: BenchmarkEntity): Promise<void> {
    const bytes = await this.benchmarks.seriesOf(row.key);
    if (!bytes) return;
    const models = row.models.map((model) => ({ ...model }));
    for (const model of models) {
      if (model.status === 'finished' || model.status === 'failed') continue;
      // A new copy each time: the columns move to the thread.
      const [timestamps, values] = unpackColumns(bytes, 2);
      if (!(await this.runModel(row, models, model, timestamps!, values!))) {
        await this.benchmarks.release(row.key, row.tries - 1);
        return;
      }
    }
    await this.finish(row, models);
  }

  /** False if the process stops: another process continues the benchmark. */
  private async runModel(
    row: BenchmarkEntity,
    models: ModelProgress[],
    model: ModelProgress,
    timestamps: Float64Array,
    values: Float64Array,
  ): Promise<boolean> {
    const { key, isCounter, slotSeconds, timezone, labels } = row;
    const least = BENCHMARK_MODELS.find(({ id }) => id === model.id)?.minimumPoints ?? 0;
    if (timestamps.length <= least) {
      Object.assign(model, { status: 'failed', message: `needs more than ${String(least)} points` });
      await this.benchmarks.saveResult(key, null, models);
      return true;
    }
    model.status = 'running';
    await this.benchmarks.saveResult(key, null, models);
    const started = performance.now();
    try {
      const request = { model: model.id, timestamps, values, isCounter, slotSeconds, timezone, labels };
      const { anomalies, anomaliesCount, figures, columns } = await this.executor.run(row.party ?? key, request);
      const runtimeSeconds = Math.round(performance.now() - started) / 1000;
      Object.assign(model, { status: 'finished', runtimeSeconds, anomaliesCount, figures });
      await this.benchmarks.saveResult(key, { model: model.id, columns: packChart(columns), anomalies }, models);
    } catch (error) {
      if (this.isStopping) return false;
      // The next call starts another thread.
      const message =
        error instanceof WorkerGoneError ? 'the model needed more memory than there is' : 'the model failed';
      this.logger.warn(`A benchmark with ${model.id} failed: ${messageOf(error)}`);
      Object.assign(model, { status: 'failed', message });
      await this.benchmarks.saveResult(key, null, models);
    }
    return true;
  }

  /** Failed if no model could be run. */
  private async finish(
    { key, message }: Pick<BenchmarkEntity, 'key' | 'message'>,
    models: readonly ModelProgress[],
  ): Promise<void> {
    const isFinished = models.some(({ status }) => status === 'finished');
    await this.end(
      key,
      isFinished ? 'finished' : 'failed',
      isFinished ? message : 'No model could be run over the series.',
    );
  }

  private async end(key: string, status: 'finished' | 'failed', message: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      const row = await this.benchmarks.findToChange(key, tx);
      if (row?.status !== 'running') return;
      const ended = { status, message, finishedAt: this.now(), beatAt: null, party: null, holder: null, place: null };
      await this.benchmarks.update(key, ended, tx);
      await this.announcements.announce({ key, email: row.email, orgId: row.orgId, status }, tx);
    });
  }

  private async requeueAbandoned(): Promise<void> {
    const before = new Date((this.clock.now() - ABANDONED_SECONDS) * 1000);
    for (const { key, tries } of await this.benchmarks.listAbandoned(before)) {
      if (this.runningById.has(key)) continue;
      if (tries < MAX_TRIES) await this.benchmarks.release(key, tries);
      else await this.end(key, 'failed', `The service has stopped ${String(tries)} times while it ran this benchmark.`);
    }
  }

  private now(): Date {
    return new Date(this.clock.now() * 1000);
  }
}
