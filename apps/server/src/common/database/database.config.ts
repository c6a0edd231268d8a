import { Setting, type SettingProblem } from '../config/setting.decorator.js';

/** The address of the relational database, and its time limits. */
export class DatabaseConfig {
  @Setting({
    env: 'DATABASE_URL',
    type: 'string',
    pattern: /^postgres(ql)?:\/\/\S+$/,
    form: 'postgres://user:password@host:5432/database',
    secret: true,
    defaultText: 'the embedded PostgreSQL in PLUMBLINE_DATA',
    sentence: 'A PostgreSQL server, version 15 or newer, to be used instead of the embedded one.',
  })
  url: string | undefined;

  @Setting({
    env: 'DATABASE_OWNER_URL',
    type: 'string',
    pattern: /^postgres(ql)?:\/\/\S+$/,
    form: 'postgres://owner:password@host:5432/database',
    secret: true,
    defaultText: 'DATABASE_URL',
    sentence:
      'The same database as the role that owns its tables: migrations run as that role, and the one of DATABASE_URL can add to the audit trail but not change it (docs/guide/database-roles.md).',
  })
  ownerUrl: string | undefined;

  @Setting({
    env: 'PLUMBLINE_DATABASE_POOL',
    type: 'int',
    min: 2,
    max: 500,
    unit: 'connections',
    sentence:
      'Connections that the process opens for requests; the point log and the series store have a few of their own.',
  })
  poolSize = 10;

  @Setting({
    env: 'PLUMBLINE_DATABASE_CONNECT_TIMEOUT_SECONDS',
    type: 'int',
    min: 1,
    max: 300,
    unit: 'seconds',
    sentence: 'Longest wait for a connection, also for a free one of the pool.',
  })
  connectTimeoutSeconds = 10;

  @Setting({
    env: 'PLUMBLINE_DATABASE_STATEMENT_TIMEOUT_SECONDS',
    type: 'int',
    min: 1,
    max: 3600,
    unit: 'seconds',
    sentence: 'Longest time a single statement may take before the database stops it.',
  })
  statementTimeoutSeconds = 30;

  @Setting({
    env: 'PLUMBLINE_DATABASE_LOCK_TIMEOUT_SECONDS',
    type: 'int',
    min: 1,
    max: 3600,
    unit: 'seconds',
    sentence: 'Longest wait of a statement for a lock that another transaction holds.',
  })
  lockTimeoutSeconds = 10;

  @Setting({
    env: 'PLUMBLINE_DATABASE_IDLE_TRANSACTION_TIMEOUT_SECONDS',
    type: 'int',
    min: 1,
    max: 3600,
    unit: 'seconds',
    sentence: 'Longest pause within a transaction before the database ends it.',
  })
  idleTransactionTimeoutSeconds = 60;

  problems(): readonly SettingProblem[] {
    if (this.ownerUrl === undefined || this.url !== undefined) return [];
    return [{ env: 'DATABASE_OWNER_URL', message: 'needs DATABASE_URL; the embedded database has one role only' }];
  }
}
