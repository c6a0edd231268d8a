import { Injectable } from '@nestjs/common';
import { messageOf } from '../../../common/errors/message-of.js';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { OutgoingError } from '../../../platform/outgoing/outgoing.errors.js';
import { OutgoingRulesService } from '../../../platform/outgoing/outgoing-rules.service.js';
import { quoted } from '../reading/answer-collector.js';
import { SourceFailure } from '../reading/driver.errors.js';
import { type SourceAnswer, type SourceDriver, type SourceQuery } from '../reading/driver.types.js';
import { asFailure } from '../reading/http-query.js';
import { namesWindow } from '../reading/placeholders.js';
import { type DatabaseAddress, databaseAddressOf } from '../source-address.js';
import { queryPostgres } from './postgres-query.js';
import { type SqlAccess } from './sql-access.js';
import { seriesOfTable, type SqlTable } from './sql-answer.js';
import { boundQuery } from './sql-query.js';

/** PostgreSQL, MySQL and MariaDB: one query in a read-only transaction, on a connection to an address that the rules allow. */
@Injectable()
export class SqlDriverService implements SourceDriver {
  constructor(
    private readonly outgoing: OutgoingClientService,
    private readonly rules: OutgoingRulesService,
  ) {}

  async read(query: SourceQuery): Promise<SourceAnswer> {
    const { settings, secrets, window, limits } = query;
    const timeout = AbortSignal.timeout(settings.timeoutSeconds * 1000);
    const signal = query.signal === undefined ? timeout : AbortSignal.any([timeout, query.signal]);
    const access: SqlAccess = {
      username: settings.username,
      password: secrets.password,
      timeoutSeconds: settings.timeoutSeconds,
      maxRows: limits.maxPoints,
      ca: this.outgoing.authorities,
      signal,
    };
    try {
      const table = await this.query(databaseAddressOf(settings.url), query, access);
      return seriesOfTable(table, window, limits, !namesWindow(settings.query));
    } catch (error) {
      throw this.failureOf(error, signal, settings.timeoutSeconds);
    }
  }

  private async query(
    address: DatabaseAddress,
    { settings, window }: SourceQuery,
    access: SqlAccess,
  ): Promise<SqlTable> {
    const { host, port } = address;
    const encrypted = address.sslMode === 'verify-full';
    if (address.engine === 'postgres') {
      const [connectTo] = await this.rules.reachable(host, { encrypted });
      return queryPostgres(address, connectTo!, boundQuery(settings.query, window, 'numbered'), access);
    }
    const limits = { timeoutMs: access.timeoutSeconds * 1000, signal: access.signal };
    // Loaded when a source first needs it: the process starts faster without the driver.
    const { queryMysql } = await import('./mysql-query.js');
    const socket = await this.outgoing.connect({ host, port, encrypted }, limits);
    return queryMysql(address, socket, boundQuery(settings.query, window, 'positional'), access);
  }

  /** Database messages about a statement help its author; for a connection, the system error codes suffice. */
  private failureOf(error: unknown, signal: AbortSignal, timeoutSeconds: number): unknown {
    if (error instanceof SourceFailure) return error;
    if (error instanceof OutgoingError) return asFailure(error);
    if (signal.aborted)
      return new SourceFailure('unreachable', `no complete answer within ${String(timeoutSeconds)} s`);
    const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
    if (syscall !== undefined || code === 'ECONNRESET') {
      return new SourceFailure('unreachable', `the connection failed (${String(code)})`);
    }
    return new SourceFailure('refused', `the database says: ${quoted(messageOf(error))}`);
  }
}
