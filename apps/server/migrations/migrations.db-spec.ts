import { readdir } from 'node:fs/promises';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { allEntities, createEmptyDatabase } from '../../../test/support/database.js';
import { serverReference } from '../src/alerting/channel/server-reference.functions.js';
import { connectionOptions } from '../src/common/database/connection.js';
import { DevelopmentDatabaseError, migrate, pendingMigrations } from '../src/common/database/migrate.js';
import { prepareDatabase } from '../src/common/database/prepare-database.js';
import { ReferencesToServers1770518520000 } from './1770518520000-references-to-servers.js';
import { MIGRATIONS, SCHEMA } from './index.js';

/** The first migrations of a development version from before the first release. */
class OrganisationsAndPeople1767225600001 implements MigrationInterface {
  name = 'OrganisationsAndPeople1767225600001';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE "org" ("id" integer)');
  }
  down(): Promise<void> {
    return Promise.resolve();
  }
}

class Points1767225600003 extends OrganisationsAndPeople1767225600001 {
  override name = 'Points1767225600003';
  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE "point_log" ("position" bigint)');
  }
}

class LaterTable1999999999999 extends OrganisationsAndPeople1767225600001 {
  override name = 'LaterTable1999999999999';
  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE "later" ("id" integer)');
  }
}

/** As CONTRIBUTING.md describes it: an index that blocks no writes. */
class IndexOfLargeTable2000000000000 implements MigrationInterface {
  name = 'IndexOfLargeTable2000000000000';
  transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SET lock_timeout = 0`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS "later_id_idx"`);
    await runner.query(`CREATE INDEX CONCURRENTLY "later_id_idx" ON "later" ("id")`);
    await runner.query(`RESET lock_timeout`);
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY "later_id_idx"`);
  }
}

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

  it('create exactly the schema that the entities describe', async () => {
    await migrate({ url }, MIGRATIONS, log);

    const { upQueries } = await withSchema((dataSource) => dataSource.driver.createSchemaBuilder().log());

    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('give every foreign key an index that begins with its columns', async () => {
    await migrate({ url }, MIGRATIONS, log);

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

  it('can be reverted one by one and run again', async () => {
    await migrate({ url }, MIGRATIONS, log);

    await withSchema(async (dataSource) => {
      for (const _ of MIGRATIONS) await dataSource.undoLastMigration({ transaction: 'each' });
      const left: unknown = await dataSource.query(`
        SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S', 'v')
        AND relname NOT IN ('migrations', 'migrations_id_seq')`);
      expect(left).toEqual([]);
    });

    expect(await pendingMigrations({ url }, MIGRATIONS)).toHaveLength(MIGRATIONS.length);
    await migrate({ url }, MIGRATIONS, log);
    expect(await pendingMigrations({ url }, MIGRATIONS)).toEqual([]);
  });

  it('replace the addresses of Teams workflows in deliveries and alert plans by references', async () => {
    const address = 'https://Teams.example.org/workflows/1?sig=secret';
    const before = MIGRATIONS.slice(0, MIGRATIONS.indexOf(ReferencesToServers1770518520000));
    await migrate({ url }, before, log);
    await withSchema(async (dataSource) => {
      await dataSource.query(`INSERT INTO org (id, name) VALUES (1, 'Org')`);
      await dataSource.query(
        `INSERT INTO alert (id, org_id, key, kind, state, content, created_at, updated_at)
         VALUES (1, 1, 'k', 'anomaly', 'open', '{}', now(), now())`,
      );
      await dataSource.query(
        `INSERT INTO alert_delivery (org_id, alert_id, message_id, life, phase, sequence, channel, recipient, mentions,
                lane, state, give_up_at, created_at)
         SELECT 1, 1, gen_random_uuid(), 1, 'opened', 1, c, r, '{}', '', 'sent', now(), now()
         FROM (VALUES ('teams_chat', $1), ('email', 'ann@example.org')) AS d (c, r)`,
        [address],
      );
      const destinations = [
        { channel: 'teams_chat', recipient: address },
        { channel: 'email', recipient: 'ann@example.org' },
      ];
      await dataSource.query(
        `INSERT INTO alert_plan (org_id, key, watcher_id, phase, severity, told_metrics, state, planned_at)
         VALUES (1, 'k', 1, 'told', 50, '{}', $1, 0)`,
        [JSON.stringify({ phase: 'told', destinations })],
      );
      await migrate({ url }, MIGRATIONS, log);
      const expected = [
        { channel: 'email', recipient: 'ann@example.org' },
        { channel: 'teams_chat', recipient: serverReference(address) },
      ];
      expect(await dataSource.query('SELECT channel, recipient FROM alert_delivery ORDER BY channel')).toEqual(
        expected,
      );
      expect(await dataSource.query('SELECT state FROM alert_plan')).toEqual([
        { state: { phase: 'told', destinations: expected.toReversed() } },
      ]);
    });
  });

  it('run once when three processes start at the same time', async () => {
    await Promise.all([1, 2, 3].map(() => migrate({ url }, MIGRATIONS, log)));

    expect(lines.filter((line) => line.startsWith('Migrated the database'))).toHaveLength(1);
    expect(await pendingMigrations({ url }, MIGRATIONS)).toEqual([]);
  });

  it('create an index outside of a transaction, while other processes wait for the migrations', async () => {
    const migrations = [...MIGRATIONS, LaterTable1999999999999, IndexOfLargeTable2000000000000];

    await Promise.all([1, 2, 3].map(() => migrate({ url }, migrations, log)));

    const valid: unknown = await withSchema((dataSource) =>
      dataSource.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'later_id_idx'::regclass`),
    );
    expect(valid).toEqual([{ indisvalid: true }]);
  });

  it('log nothing when no migration is pending', async () => {
    await migrate({ url }, MIGRATIONS, log);
    lines.length = 0;

    await migrate({ url }, MIGRATIONS, log);

    expect(lines).toEqual([]);
  });

  describe('on a database of a development version', () => {
    const tables = (): Promise<unknown> =>
      withSchema((dataSource) =>
        dataSource.query(`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1`),
      );

    beforeEach(() => migrate({ url }, [OrganisationsAndPeople1767225600001, Points1767225600003], () => undefined));

    it('change nothing, and the error names the database and how to start with a new one', async () => {
      const before = await tables();
      const { host, pathname } = new URL(url);

      const failing = migrate({ url }, MIGRATIONS, log);

      await expect(failing).rejects.toThrow(DevelopmentDatabaseError);
      await expect(failing).rejects.toThrow(
        `The database at ${host}${pathname} (DATABASE_URL) was made by a development version from before the first ` +
          'release (it has the migrations OrganisationsAndPeople1767225600001 and 1 more). Databases of development ' +
          'versions are not carried over. Nothing in it was changed or deleted. To start with a new database, ' +
          'create an empty database and set DATABASE_URL to it.',
      );
      await expect(pendingMigrations({ url }, MIGRATIONS)).rejects.toThrow(DevelopmentDatabaseError);
      expect(await tables()).toEqual(before);
      expect(lines).toEqual([]);
    });

    it('name the data folder of an embedded database in the error', async () => {
      await expect(prepareDatabase({ url, dataFolder: '/srv/plumbline' }, SCHEMA, log)).rejects.toThrow(
        /^The database in the data folder \/srv\/plumbline was made .* stop Plumbline, then move \/srv\/plumbline\/postgres away or set PLUMBLINE_DATA to another folder\.$/,
      );
    });
  });

  it('log the name of a migration that only a newer version has', async () => {
    await migrate({ url }, [...MIGRATIONS, LaterTable1999999999999], () => undefined);

    await migrate({ url }, MIGRATIONS, log);

    expect(lines).toEqual(['The database was migrated by a newer version: LaterTable1999999999999']);
  });

  it('are all listed in index.ts', async () => {
    const names = (await readdir(import.meta.dirname)).filter((name) => /^\d+-.*\.ts$/.test(name));
    const times = new Set(MIGRATIONS.map((migration) => migration.name.slice(-13)));

    expect(names.filter((name) => !times.has(name.slice(0, 13)))).toEqual([]);
  });

  it('are listed in the order of the distinct times at the end of their names', () => {
    const times = MIGRATIONS.map((migration) => Number(migration.name.slice(-13)));

    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBe(times.length);
  });
});
