/** Queries a database; rows as objects. */
export type Query = (sql: string) => Promise<unknown>;

/**
 * True if a database lacks some of the migrations. Loads nothing else: commands check this first, and then usually have
 * no more to do.
 */
export async function hasPendingMigrations(
  query: Query,
  migrations: readonly { readonly name: string }[],
): Promise<boolean> {
  const [found] = (await query(`SELECT to_regclass('migrations') AS table`)) as { table: string | null }[];
  if (found?.table == null) return true;
  const rows = (await query('SELECT name FROM migrations')) as { name: string }[];
  const executed = new Set(rows.map(({ name }) => name));
  return migrations.some(({ name }) => !executed.has(name));
}
