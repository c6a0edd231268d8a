import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';

/** Handle of an open transaction; services pass it on and know nothing more of it. */
export type Tx = EntityManager;

/** deadlock_detected, serialization_failure */
const RETRYABLE = new Set(['40P01', '40001']);

@Injectable()
export class Transactions {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs `work` in one transaction. On a deadlock the whole function runs again, so it must be repeatable. */
  async run<T>(work: (tx: Tx) => Promise<T>, attempts = 3): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.dataSource.transaction(work);
      } catch (error) {
        const code = sqlState(error);
        if (attempt >= attempts || code === undefined || !RETRYABLE.has(code)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20 * attempt * (1 + Math.random())));
      }
    }
  }
}

/** SQLSTATE of a failed query, or undefined when the error is of another kind. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof QueryFailedError ? (error.driverError as { code?: string }).code : undefined;
}
