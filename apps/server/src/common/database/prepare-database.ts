import { grantApplicationRole } from './application-role.js';
import { migrate, type MigratedDatabase, type Migrations } from './migrate.js';

export interface DatabaseSchema {
  migrations: Migrations;
  /** Tables that a separate role of the application may only read and insert into. */
  appendOnlyTables: readonly string[];
}

/**
 * Brings an open database to the newest schema; if its owner is another role, the application gets its rights.
 * `logWait` gets a line if this process waits for another one.
 */
export async function prepareDatabase(
  database: MigratedDatabase,
  { migrations, appendOnlyTables }: DatabaseSchema,
  log: (line: string) => void,
  logWait = log,
): Promise<void> {
  const { url, ownerUrl } = database;
  await migrate(database, migrations, log, logWait);
  if (ownerUrl !== undefined) await grantApplicationRole(ownerUrl, url, appendOnlyTables, log, logWait);
}
