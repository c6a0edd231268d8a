import pg from 'pg';
import { lastingConnection } from '#libs/database-connections';
import { Waiters } from '../common/waiters.js';

const CHANNEL = 'point_log_appended';
const RECONNECT_MS = 1000;

/** Sent within an appending transaction; PostgreSQL delivers it when that transaction commits. */
export const NOTIFY_APPENDED = `NOTIFY ${CHANNEL}`;

/**
 * Wakes those who wait for an append: at once for appends of this process, by LISTEN for those of others. While the
 * listening connection is down only this process's own appends are seen, and waiters fall back to their time-out.
 */
export class AppendSignal {
  private readonly waiters = new Waiters();
  private listener: pg.Client | undefined;
  private reconnect: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly connectionString: string) {}

  /** False: nothing was appended in that time. */
  wait(timeoutMs: number): Promise<boolean> {
    return this.waiters.wait(timeoutMs);
  }

  notify(): void {
    this.waiters.notify();
  }

  /** Connects the listener. Throws when the first connection fails; later losses are repaired by themselves. */
  async listen(): Promise<void> {
    const client = new pg.Client({
      ...lastingConnection(this.connectionString),
      application_name: 'plumbline point log listener',
      connectionTimeoutMillis: 5000,
    });
    // The loss of the connection shows as an error, or as an end without one: `end` follows in both cases.
    client.on('error', () => undefined);
    client.on('notification', () => this.notify());
    await client.connect();
    this.listener = client;
    client.once('end', () => this.relisten());
    await client.query(`LISTEN ${CHANNEL}`);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.reconnect);
    this.waiters.close();
    await this.listener?.end();
  }

  private relisten(): void {
    this.listener = undefined;
    if (this.isClosed) return;
    this.reconnect = setTimeout(() => {
      // What was appended meanwhile was not announced to us.
      this.listen().then(
        () => this.notify(),
        () => {
          if (this.listener === undefined) this.relisten();
        },
      );
    }, RECONNECT_MS);
  }
}
