import pg from 'pg';
import { lastingConnection } from '#libs/database-connections';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { awaitLock } from './awaited-lock.js';

export class ApplicationRoleError extends Error {
  constructor(problem: string, options?: ErrorOptions) {
    super(`DATABASE_URL and DATABASE_OWNER_URL do not work together: ${problem}`, options);
    this.name = new.target.name;
  }
}

interface Place {
  role: string;
  isSuperuser: boolean;
  database: string;
  schema: string;
}

/**
 * Grants the role of the application its privileges, but none to change `appendOnlyTables`, where it may only read and
 * insert. Tables partitioned by time are transferred to it, because it creates and drops their partitions. May be
 * repeated. `logWait` gets a line when another process blocks this one.
 * @param ownerUrl the role that runs the migrations
 * @param url the role of the application
 */
export async function grantApplicationRole(
  ownerUrl: string,
  url: string,
  appendOnlyTables: readonly string[],
  log: (line: string) => void,
  logWait = log,
): Promise<void> {
  const application = await withClient(url, placeOf);
  await withClient(ownerUrl, async (client) => {
    const owner = await placeOf(client);
    check(owner, application);
    if (application.isSuperuser) {
      log(`Warning: ${application.role} (DATABASE_URL) is a superuser, for whom the database checks no permissions`);
    }
    await awaitLock(client, DATABASE_LOCKS.applicationRights, logWait);
    await client.query('BEGIN');
    try {
      await grant(client, application, appendOnlyTables);
    } catch (error) {
      throw new ApplicationRoleError(
        `${owner.role} cannot give rights to ${application.role} (${(error as Error).message}). ` +
          `As a superuser run: GRANT ${pg.escapeIdentifier(application.role)} TO ${pg.escapeIdentifier(owner.role)}`,
        { cause: error },
      );
    }
    await client.query('COMMIT');
  });
}

function check(owner: Place, application: Place): void {
  if (owner.role === application.role) {
    throw new ApplicationRoleError(
      `both name the role ${owner.role}. Give the application a role of its own, or leave DATABASE_OWNER_URL out`,
    );
  }
  if (owner.database !== application.database || owner.schema !== application.schema) {
    const [first, second] = [application, owner].map(({ database, schema }) => `${database}, schema ${schema}`);
    throw new ApplicationRoleError(`they lead to different databases (${first!}; ${second!})`);
  }
}

async function grant(client: pg.Client, { role, schema }: Place, appendOnlyTables: readonly string[]): Promise<void> {
  const [to, inSchema] = [pg.escapeIdentifier(role), pg.escapeIdentifier(schema)];
  await client.query(`GRANT USAGE, CREATE ON SCHEMA ${inSchema} TO ${to}`);
  const { rows: tables } = await client.query<{ name: string; isPartitionTree: boolean; owner: string }>(
    `SELECT c.relname AS name, pg_get_userbyid(c.relowner) AS owner,
            c.relkind = 'p' OR c.relispartition AS "isPartitionTree"
     FROM pg_class c WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') ORDER BY c.relname`,
    [inSchema],
  );
  for (const { name, isPartitionTree, owner } of tables) {
    const table = `${inSchema}.${pg.escapeIdentifier(name)}`;
    if (owner === role) continue;
    if (isPartitionTree) {
      await client.query(`ALTER TABLE ${table} OWNER TO ${to}`);
    } else if (appendOnlyTables.includes(name)) {
      await client.query(`REVOKE ALL ON ${table} FROM ${to}; GRANT SELECT, INSERT ON ${table} TO ${to}`);
    } else {
      await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ${table} TO ${to}`);
    }
  }
  await client.query(`GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${inSchema} TO ${to}`);
}

async function placeOf(client: pg.Client): Promise<Place> {
  const { rows } = await client.query<Place>(
    `SELECT current_user AS role, current_database() AS database, coalesce(current_schema(), '') AS schema,
            (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "isSuperuser"`,
  );
  return rows[0]!;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...lastingConnection(url), application_name: 'plumbline rights' });
  // A lost connection makes the statement that uses it fail.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
