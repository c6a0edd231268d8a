import { Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { currentRequest } from '../http/request-context.js';

/** A lock against other processes, held until it is released or its connection ends. */
export interface AdvisoryLock {
  /** Thrown if the connection was lost: another process may hold the lock by now. */
  lost: AbortSignal;
  release(): Promise<void>;
}

interface LockSession {
  runner: QueryRunner;
  lost: AbortController;
  /** The latest statement: a connection runs one at a time, but several partitions send statements concurrently. */
  latest: Promise<unknown>;
  /** Returns the connection to the pool and stops watching it. */
  unwatch: () => void;
}

/** The part of a pg client that reports the end of the connection. */
interface Connection {
  once(event: 'end' | 'error', listener: () => void): unknown;
  off(event: 'end' | 'error', listener: () => void): unknown;
}

/**
 * Session locks of PostgreSQL, for work that only one process may do. All locks of a process are held by one
 * connection, taken from the pool while there is at least one. A machine that has disappeared silently holds its locks
 * until the server has given up its connection (libs/database-connections).
 */
@Injectable()
export class AdvisoryLocks {
  private session: Promise<LockSession> | undefined;
  /** Locks that this process holds or requests. */
  private readonly names = new Set<string>();

  constructor(private readonly dataSource: DataSource) {}

  /**
   * The lock, or null if it is held elsewhere, including in this process.
   * @param space number of the kind of lock (libs/database-locks)
   */
  async tryAcquire(space: number, key: number): Promise<AdvisoryLock | null> {
    const name = `${String(space)}/${String(key)}`;
    if (this.names.has(name)) return null;
    this.names.add(name);
    try {
      const session = await (this.session ??= this.connect());
      const rows = await inTurn(session, 'SELECT pg_try_advisory_lock($1, $2) AS got', [space, key]);
      if (rows[0]?.got) {
        return { lost: session.lost.signal, release: () => this.release(session, space, key, name) };
      }
    } catch (error) {
      await this.releaseName(name);
      throw error;
    }
    await this.releaseName(name);
    return null;
  }

  /** Runs the work unless another process holds the lock. Returns whether it ran. */
  async runAlone(space: number, key: number, work: () => Promise<void>): Promise<boolean> {
    const lock = await this.tryAcquire(space, key);
    if (!lock) return false;
    try {
      await work();
      return true;
    } finally {
      await lock.release();
    }
  }

  private async release(session: LockSession, space: number, key: number, name: string): Promise<void> {
    try {
      if (!session.lost.signal.aborted) {
        await inTurn(session, 'SELECT pg_advisory_unlock($1, $2) AS got', [space, key]);
      }
    } catch {
      // The connection has ended, and the lock with it.
    }
    await this.releaseName(name);
  }

  private async releaseName(name: string): Promise<void> {
    this.names.delete(name);
    if (this.names.size > 0 || !this.session) return;
    const ending = this.session;
    this.session = undefined;
    const session = await ending.catch(() => undefined);
    session?.unwatch();
    if (session && !session.runner.isReleased) await session.runner.release();
  }

  private connect(): Promise<LockSession> {
    const connecting = this.openSession(() => {
      if (this.session === connecting) this.session = undefined;
    });
    return connecting;
  }

  private async openSession(forget: () => void): Promise<LockSession> {
    try {
      const runner = this.dataSource.createQueryRunner();
      // Belongs to no request: all locks of the process share it.
      const client = (await currentRequest.exit(() => runner.connect())) as Connection;
      const lost = new AbortController();
      const onEnd = () => {
        forget();
        lost.abort();
      };
      client.once('end', onEnd);
      client.once('error', onEnd);
      const unwatch = () => {
        client.off('end', onEnd);
        client.off('error', onEnd);
      };
      return { runner, lost, latest: Promise.resolve(), unwatch };
    } catch (error) {
      forget();
      throw error;
    }
  }
}

function inTurn(session: LockSession, sql: string, keys: [number, number]): Promise<{ got: boolean }[]> {
  const answer = session.latest.then(() => session.runner.query(sql, keys) as Promise<{ got: boolean }[]>);
  session.latest = answer.catch(() => undefined);
  return answer;
}
