import { type Clock } from '../clock.js';
import { type Role } from '../config/server.config.js';
import { messageOf } from '../errors/message-of.js';
import { currentRequest } from '../http/request-context.js';
import { RecurringWork } from '../recurring-work.js';
import { type QueueSettings, type OutboxRow, type OutboxRows } from './outbox.types.js';

const LOOK_EVERY_MS = 1000;
/** Rows queued by a transaction are visible after its commit, usually well before this time. */
const LOOK_AFTER_SIGNAL_MS = 30;
/** Time for which a stop waits for rows that are being sent. */
const STOP_TIMEOUT_MS = 5000;

interface Options {
  /** Log message when the outbox cannot be read. */
  failure: string;
  /** Longer than one try can take, including timeouts and the wait for a connection. */
  leaseSeconds: number;
  /** Only processes with this role send; default `notify`. */
  role?: Role;
}

/**
 * Sends the waiting rows of an outbox: checks every second, when a row becomes due, and when it is notified of a new
 * row. Rows with the same destination form a queue (column `lane`). Queues wait for their turn, and a row is claimed
 * only at its turn, so a stalling destination delays only its own queue. Several processes with the role may do this at
 * the same time.
 */
export abstract class OutboxDelivery<Row extends OutboxRow> extends RecurringWork {
  /** Aborts rows that are being sent when a stop has waited long enough. */
  protected readonly stopped = new AbortController();
  /** Number of running workers of each queue. */
  private readonly workersOf = new Map<string, number>();
  private readonly inFlight = new Set<Promise<void>>();
  /** Queues in which a row became due while all their workers were running. */
  private readonly missed = new Set<string>();
  private soon: NodeJS.Timeout | undefined;
  private nextSendAt = Infinity;

  protected constructor(
    private readonly rows: OutboxRows<Row>,
    protected readonly clock: Clock,
    private readonly options: Options,
  ) {
    super({ everyMs: LOOK_EVERY_MS, failure: options.failure, role: options.role ?? 'notify' });
  }

  /** Starts to send rows that are due; does not wait for the end. */
  override async run(): Promise<void> {
    const now = this.clock.now();
    const queues = await this.rows.waitingQueuesOfAll();
    this.nextSendAt = Infinity;
    for (const { queue, sendAt } of queues) {
      if (sendAt <= now) this.startWorker(queue);
      else this.nextSendAt = Math.min(this.nextSendAt, sendAt);
    }
  }

  /** Sends all rows that are due. */
  async deliverAll(): Promise<void> {
    await this.run();
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
  }

  override async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.soon);
    const timeout = setTimeout(() => this.stopped.abort(), STOP_TIMEOUT_MS);
    await super.beforeApplicationShutdown();
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
    clearTimeout(timeout);
  }

  /** The queue settings of a queue; undefined: no row may be tried now. */
  protected abstract turnsOf(queue: string): QueueSettings | undefined;

  /** Tries a row that this process has claimed, and records the outcome. */
  protected abstract deliver(row: Row): Promise<void>;

  /** Call it when a row was queued. */
  protected wake(): void {
    if (this.isStopping) return;
    // Outside of any request: the waiting rows of all requests are sent together.
    this.soon ??= currentRequest.exit(() =>
      setTimeout(() => {
        this.soon = undefined;
        void this.runAndLog();
      }, LOOK_AFTER_SIGNAL_MS),
    );
    this.soon.unref();
  }

  protected override pauseMs(): number {
    return Math.min(LOOK_EVERY_MS, Math.max(0, Math.ceil(1000 * (this.nextSendAt - this.clock.now()))));
  }

  private startWorker(queue: string): void {
    const workers = this.workersOf.get(queue) ?? 0;
    if (workers >= (this.turnsOf(queue)?.atOnce ?? 0)) {
      if (workers > 0) this.missed.add(queue);
      return;
    }
    this.workersOf.set(queue, workers + 1);
    const work = this.sendQueue(queue)
      .catch((error: unknown) => this.logger.warn(`${this.options.failure}; it will be retried: ${messageOf(error)}`))
      .finally(() => {
        this.inFlight.delete(work);
        const left = this.workersOf.get(queue)! - 1;
        if (left > 0) this.workersOf.set(queue, left);
        else this.workersOf.delete(queue);
        if (this.missed.delete(queue) && !this.isStopping) this.startWorker(queue);
      });
    this.inFlight.add(work);
  }

  /** Sends the rows of a queue one after the other, each at its turn, until none is due. */
  private async sendQueue(queue: string): Promise<void> {
    while (!this.isStopping && (await this.deliverNext(queue)));
  }

  private async deliverNext(queue: string): Promise<boolean> {
    const place = this.turnsOf(queue);
    if (place === undefined) return false;
    const release = await place.turns.enterAgain(place.party);
    try {
      // The destination may have failed during the wait.
      const atOnce = this.turnsOf(queue)?.atOnce ?? 0;
      if (this.isStopping || (this.workersOf.get(queue) ?? 0) > atOnce) return false;
      const row = await this.rows.claimOfAll(queue, this.clock.now(), this.options.leaseSeconds);
      if (row === undefined) return false;
      // If there is one row, there may be more.
      this.startWorker(queue);
      this.missed.delete(queue);
      await this.deliver(row);
      return true;
    } finally {
      release();
    }
  }
}
