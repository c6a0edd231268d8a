import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';

/** Handle of an open transaction; services only pass it on. */
export type Tx = EntityManager;

/**
 * Informs other code of a change, for example by an event. Information that must not be lost is a row of the same
 * transaction instead.
 */
export type AfterCommit = () => void | Promise<void>;

/** For each open transaction, the work that waits for its commit. */
const waiting = new WeakMap<Tx, AfterCommit[]>();

/**
 * Runs `work` after the transaction is committed, in the order of the calls, and before `Transactions.run` answers. A
 * transaction that is rolled back runs none of it, one that is repeated runs the work of its last attempt. A failure is
 * only logged, because the change is committed. @throws Error if `tx` is not an open transaction of `Transactions.run`
 */
export function afterCommit(tx: Tx, work: AfterCommit): void {
  const works = waiting.get(tx);
  if (works === undefined)
    throw new Error('afterCommit needs a transaction that Transactions.run has opened and not ended');
  works.push(work);
}

/** deadlock_detected, serialization_failure */
const RETRYABLE = new Set(['40P01', '40001']);

@Injectable()
export class Transactions {
  private readonly logger = new Logger(Transactions.name);

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in one transaction, then its `afterCommit` work. On a deadlock the whole function runs again, so it
   * must be repeatable. Within another transaction, it is a separate one with its own commit.
   */
  async run<T>(work: (tx: Tx) => Promise<T>, attempts = 3): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(work);
      } catch (error) {
        const code = sqlState(error);
        if (attempt >= attempts || code === undefined || !RETRYABLE.has(code)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20 * attempt * (1 + Math.random())));
      }
    }
  }

  private async attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const works: AfterCommit[] = [];
    const result = await this.dataSource.transaction(async (tx) => {
      waiting.set(tx, works);
      try {
        return await work(tx);
      } finally {
        waiting.delete(tx);
      }
    });
    for (const after of works) await this.runAfterCommit(after);
    return result;
  }

  private async runAfterCommit(work: AfterCommit): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.error('Work after a committed change failed', error);
    }
  }
}

/** SQLSTATE of a failed query, or undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof QueryFailedError ? (error.driverError as { code?: string }).code : undefined;
}
