import { DataSource } from 'typeorm';
import { allEntities, createEmptyDatabase } from '../../../../test/support/database.js';
import { connectionOptions } from '../common/database/connection.js';
import { migrate, pendingMigrations } from '../common/database/migrate.js';
import { MIGRATIONS } from './index.js';

describe('migrations', () => {
  let url: string;
  let drop: () => Promise<void>;
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);

  beforeEach(async () => {
    ({ url, drop } = await createEmptyDatabase());
    lines.length = 0;
  });
  afterEach(() => drop());

  async function withSchema<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
    const dataSource = new DataSource({
      ...connectionOptions(url),
      entities: await allEntities(),
      migrations: [...MIGRATIONS],
    });
    await dataSource.initialize();
    try {
      return await work(dataSource);
    } finally {
      await dataSource.destroy();
    }
  }

  it('make exactly the schema that the entities describe', async () => {
    await migrate(url, MIGRATIONS, log);

    const { upQueries } = await withSchema((dataSource) => dataSource.driver.createSchemaBuilder().log());

    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('give every foreign key an index that begins with its columns', async () => {
    await migrate(url, MIGRATIONS, log);

    const unindexed: unknown = await withSchema((dataSource) =>
      dataSource.query(`
        SELECT conrelid::regclass::text AS "table", conname AS "foreignKey"
        FROM pg_constraint fk
        WHERE contype = 'f' AND NOT EXISTS (
          SELECT FROM pg_index i
          WHERE i.indrelid = fk.conrelid
            AND (i.indkey::int2[])[0:cardinality(fk.conkey) - 1] @> fk.conkey
            -- A partial index serves a foreign key when it leaves out the rows without one only.
            AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) LIKE '(%IS NOT NULL)')
        )`),
    );

    expect(unindexed).toEqual([]);
  });

  it('can be taken back one by one and made again', async () => {
    await migrate(url, MIGRATIONS, log);

    await withSchema(async (dataSource) => {
      for (const _ of MIGRATIONS) await dataSource.undoLastMigration({ transaction: 'each' });
      const left: unknown = await dataSource.query(`
        SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S', 'v')
        AND relname NOT IN ('migrations', 'migrations_id_seq')`);
      expect(left).toEqual([]);
    });

    expect(await pendingMigrations(url, MIGRATIONS)).toHaveLength(MIGRATIONS.length);
    await migrate(url, MIGRATIONS, log);
    expect(await pendingMigrations(url, MIGRATIONS)).toEqual([]);
  });

  it('run once when three processes start together', async () => {
    await Promise.all([1, 2, 3].map(() => migrate(url, MIGRATIONS, log)));

    expect(lines.filter((line) => line.startsWith('Migrated the database'))).toHaveLength(1);
    expect(await pendingMigrations(url, MIGRATIONS)).toEqual([]);
  });

  it('say nothing when there is nothing to do', async () => {
    await migrate(url, MIGRATIONS, log);
    lines.length = 0;

    await migrate(url, MIGRATIONS, log);

    expect(lines).toEqual([]);
  });

  it('are listed in the order of their times, which their names end with', () => {
    const times = MIGRATIONS.map((migration) => Number(migration.name.slice(-13)));

    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBe(times.length);
  });
});
