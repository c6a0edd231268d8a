import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from './database.js';
import { runCli } from '../../apps/cli/src/cli.js';
// Commands load the server on demand, which takes seconds. Loading it once per file keeps tests within their time
// limit.
import '../../apps/server/src/bootstrap.js';
import { type ExitCode } from '../../apps/cli/src/cli-error.js';
import { recordingTerminal, type Written } from '../../apps/cli/src/testing/recording-terminal.js';

export interface Ended extends Written {
  code: ExitCode;
}

/** A row of the audit trail. */
export interface AuditRow {
  action: string;
  actorType: string;
  objectId: string;
  objectName: string;
  changes: unknown;
}

/** An empty, migrated database and a data folder; the environment contains the settings for both. */
export class Installation {
  private readonly surroundings = process.env;

  private constructor(
    readonly database: TestDatabase,
    readonly dataFolder: string,
  ) {}

  static async create(): Promise<Installation> {
    const created = new Installation(await createTestDatabase(), await mkdtemp(join(tmpdir(), 'plumbline-cli-')));
    process.env = { ...process.env, DATABASE_URL: created.database.url, PLUMBLINE_DATA: created.dataFolder };
    return created;
  }

  async run(args: readonly string[], stdin = ''): Promise<Ended> {
    const { terminal, written } = recordingTerminal(stdin);
    return { code: await runCli(args, terminal), ...written };
  }

  /** Runs a command that must succeed. */
  async done(args: readonly string[], stdin = ''): Promise<Ended> {
    const ended = await this.run(args, stdin);
    if (ended.code !== 0) throw new Error(`plumbline ${args.join(' ')} ended with ${ended.code}: ${ended.err}`);
    return ended;
  }

  query<T>(sql: string, parameters?: unknown[]): Promise<T[]> {
    return this.database.dataSource.query(sql, parameters);
  }

  /** Audit entries of an organisation, oldest first. */
  audit(orgId: number): Promise<AuditRow[]> {
    return this.query(
      `SELECT action, actor_type AS "actorType", object_id AS "objectId", object_name AS "objectName", changes
         FROM audit_entry WHERE org_id = $1 ORDER BY id`,
      [orgId],
    );
  }

  async anOrg(name: string): Promise<number> {
    const rows = await this.query<{ id: number }>('INSERT INTO org (name) VALUES ($1) RETURNING id', [name]);
    return rows[0]!.id;
  }

  async close(): Promise<void> {
    process.env = this.surroundings;
    await this.database.drop();
    await rm(this.dataFolder, { recursive: true });
  }
}
