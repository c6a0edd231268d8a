import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { lastingConnection } from '#libs/database-connections';
import { messageOf } from '../errors/message-of.js';

const CONNECT_AGAIN_MS = 1000;

/**
 * Notifications of other processes by NOTIFY, over a separate connection, from the first listener to the end of the
 * process. A notification is only a hint: it is lost while the connection is down, so listeners also poll.
 */
@Injectable()
export class DatabaseNotifications implements OnModuleDestroy {
  private readonly logger = new Logger(DatabaseNotifications.name);
  /** By channel; undefined instead of a text when some may have been lost. */
  private readonly listeners = new Map<string, (payload: string | undefined) => void>();
  private client: pg.Client | undefined;
  /** Queries on the connection, sequentially: it accepts no second query before the first is answered. */
  private lastQuery: Promise<unknown> = Promise.resolve();
  private isStopped = false;

  constructor(private readonly dataSource: DataSource) {}

  /** `listener` gets the messages of the channel, or undefined if notifications may have been lost. Once per channel. */
  listen(channel: string, listener: (payload: string | undefined) => void): void {
    this.listeners.set(channel, listener);
    if (this.client === undefined) this.connect();
    else this.subscribe(this.client, channel).catch(() => undefined);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    await this.client?.end().catch(() => undefined);
  }

  private connect(): void {
    if (this.isStopped) return;
    const { url } = this.dataSource.options as { url: string };
    const client = new pg.Client({
      ...lastingConnection(url),
      application_name: 'plumbline notifications',
      connectionTimeoutMillis: 5000,
    });
    this.client = client;
    client.on('error', () => undefined);
    client.on('notification', ({ channel, payload = '' }) => this.listeners.get(channel)?.(payload));
    client.once('end', () => this.connectAgain(client));
    this.begin(client).catch((error: unknown) => {
      this.logger.warn(`There is no connection for notifications: ${messageOf(error)}`);
      client.end().catch(() => undefined);
      this.connectAgain(client);
    });
  }

  private async begin(client: pg.Client): Promise<void> {
    this.lastQuery = client.connect();
    await this.lastQuery;
    for (const channel of this.listeners.keys()) await this.subscribe(client, channel);
    // Earlier notifications were lost.
    for (const listener of this.listeners.values()) listener(undefined);
  }

  private subscribe(client: pg.Client, channel: string): Promise<unknown> {
    this.lastQuery = this.lastQuery.then(() => client.query(`LISTEN ${pg.escapeIdentifier(channel)}`));
    return this.lastQuery;
  }

  private connectAgain(lost: pg.Client): void {
    if (this.client !== lost || this.isStopped) return;
    setTimeout(() => {
      if (this.client === lost) this.connect();
    }, CONNECT_AGAIN_MS).unref();
  }
}
