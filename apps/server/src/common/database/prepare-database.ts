import { grantApplicationRole } from './application-role.js';
import { migrate, type Migrations } from './migrate.js';
import { type OpenDatabase } from './open-database.js';

export interface DatabaseSchema {
  migrations: Migrations;
  /** Tables that the application's own role, where it has one, may only read and add to. */
  appendOnlyTables: readonly string[];
}

/** Brings an open database to the newest schema; where its owner is another role, the application gets its rights. */
export async function prepareDatabase(
  { url, ownerUrl }: Pick<OpenDatabase, 'url' | 'ownerUrl'>,
  { migrations, appendOnlyTables }: DatabaseSchema,
  log: (line: string) => void,
): Promise<void> {
  await migrate(ownerUrl ?? url, migrations, log);
  if (ownerUrl !== undefined) await grantApplicationRole(ownerUrl, url, appendOnlyTables, log);
}
