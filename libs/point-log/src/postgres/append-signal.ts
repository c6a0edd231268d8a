import pg from 'pg';
import { lastingConnection } from '#libs/database-connections';
import { Waiters } from '../common/waiters.js';

const CHANNEL = 'point_log_appended';
const RECONNECT_MS = 1000;

/** Sent within the transaction of an append; PostgreSQL delivers it on commit. */
export const NOTIFY_APPENDED = `NOTIFY ${CHANNEL}`;

/**
 * Wakes readers that wait for an append: immediately after appends of this process, by LISTEN after those of others.
 * While the listening connection is down, only appends of this process are noticed, and readers wait for their timeout.
 */
export class AppendSignal {
  private readonly waiters = new Waiters();
  private listener: pg.Client | undefined;
  private reconnect: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly connectionString: string) {}

  /** False: nothing was appended within that time. */
  wait(timeoutMs: number): Promise<boolean> {
    return this.waiters.wait(timeoutMs);
  }

  notify(): void {
    this.waiters.notify();
  }

  /** Connects the listener. Throws if the first connection fails; later losses are repaired automatically. */
  async listen(): Promise<void> {
    const client = new pg.Client({
      ...lastingConnection(this.connectionString),
      application_name: 'plumbline point log listener',
      connectionTimeoutMillis: 5000,
    });
    // A lost connection raises an error, or ends without one; `end` follows in both cases.
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
      // Appends in the meantime were not announced to this process.
      this.listen().then(
        () => this.notify(),
        () => {
          if (this.listener === undefined) this.relisten();
        },
      );
    }, RECONNECT_MS);
  }
}
