import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { createEmptyDatabase } from '../../../../../test/support/database.js';
import { START } from '../../../../../test/support/hand-clock.js';
import { PointApp } from '../../../../../test/support/point-app.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { AuditTrailRepository } from '../../platform/audit/audit-trail.repository.js';
import { OPERATOR_ACTOR } from '../../platform/audit/audit.types.js';
import { SCHEMA } from '../../../migrations/index.js';
import { SeriesMaintenanceService } from '../../platform/storage/series-maintenance.service.js';
import { ApplicationRoleError } from './application-role.js';
import { connectionOptions } from './connection.js';
import { prepareDatabase } from './prepare-database.js';

const DAY = 86_400;

/** An empty database with an owner and a role for the application, as an operator would create them. */
describe('a separate database role for the application', () => {
  const suffix = randomBytes(4).toString('hex');
  const [owner, application] = [`test_owner_${suffix}`, `test_app_${suffix}`];
  let admin: { url: string; drop(): Promise<void> };
  let urls: { url: string; ownerUrl: string };

  beforeAll(async () => {
    admin = await createEmptyDatabase();
    const as = (role: string) => Object.assign(new URL(admin.url), { username: role, password: 'a-password' }).href;
    urls = { url: as(application), ownerUrl: as(owner) };
    await run(
      admin.url,
      `CREATE ROLE ${owner} LOGIN PASSWORD 'a-password'`,
      `CREATE ROLE ${application} LOGIN PASSWORD 'a-password'`,
      `ALTER DATABASE ${new URL(admin.url).pathname.slice(1)} OWNER TO ${owner}`,
    );
  });

  afterAll(async () => {
    await run(admin.url, `DROP OWNED BY ${application}, ${owner} CASCADE`);
    const name = new URL(admin.url).pathname.slice(1);
    await run(
      admin.url,
      `ALTER DATABASE ${name} OWNER TO CURRENT_USER`,
      `DROP ROLE ${application}`,
      `DROP ROLE ${owner}`,
    );
    await admin.drop();
  });

  async function run(url: string, ...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  it('reports the grant that the owner lacks, without the password', async () => {
    const failing = prepareDatabase(urls, SCHEMA, () => undefined);
    await expect(failing).rejects.toThrow(ApplicationRoleError);
    await expect(failing).rejects.toThrow(`GRANT "${application}" TO "${owner}"`);
    await expect(failing).rejects.not.toThrow(/a-password/);
  });

  it('is rejected when it equals the owner, or its URL names another database', async () => {
    const same = prepareDatabase({ url: urls.ownerUrl, ownerUrl: urls.ownerUrl }, SCHEMA, () => undefined);
    await expect(same).rejects.toThrow(/both name the role/);
    const elsewhere = Object.assign(new URL(urls.url), { pathname: '/postgres' }).href;
    await expect(prepareDatabase({ ...urls, url: elsewhere }, SCHEMA, () => undefined)).rejects.toThrow(
      /different databases/,
    );
  });

  it('runs the product, and can only append to the audit trail', async () => {
    await run(admin.url, `GRANT ${application} TO ${owner}`);
    await prepareDatabase(urls, SCHEMA, () => undefined);
    // As at every start: again, and also without the owner's password.
    await prepareDatabase(urls, SCHEMA, () => undefined);
    await prepareDatabase({ url: urls.url }, SCHEMA, () => undefined);
    const dataSource = await new DataSource(connectionOptions(urls.url)).initialize();
    const database = { url: urls.url, dataSource, drop: () => dataSource.destroy() };
    const app = await PointApp.create({ database, env: { PLUMBLINE_ROLES: 'api' } });
    try {
      const { id: orgId } = await app.anOrg();
      const object = { type: 'thing', id: '1', name: '' };
      await app.get(AuditTrailService).record({ orgId, actor: OPERATOR_ACTOR, action: 'thing.change', object });
      for (const statement of [
        'UPDATE audit_entry SET actor_name = NULL',
        'DELETE FROM audit_entry',
        'TRUNCATE audit_entry',
        'TRUNCATE org CASCADE',
        'ALTER TABLE audit_entry DISABLE TRIGGER ALL',
        'DROP TRIGGER audit_entry_refuse ON audit_entry',
        'DROP TABLE audit_entry',
      ]) {
        await expect(dataSource.query(statement)).rejects.toThrow(/permission denied|must be owner/);
      }
      expect(await dataSource.query('SELECT action FROM audit_entry')).toEqual([{ action: 'thing.change' }]);
      await dataSource.query(`INSERT INTO audit_entry (org_id, happened_at, actor_type, actor_name, action, object_type,
        object_id, object_name, changes) VALUES (${String(orgId)}, '2001-01-01', 'system', '', 'old', '', '', '', '[]')`);
      await app.get(AuditTrailRepository).forgetExpired(0, 10);
      expect(await dataSource.query(`SELECT FROM audit_entry WHERE action = 'old'`)).toEqual([]);

      // Partitions are created and dropped.
      const slots = [START - 20 * DAY, START - DAY].map((timestamp) => timestamp - (timestamp % 60));
      const values = Float64Array.of(1, 2);
      await app.series.write({ ids: Uint32Array.of(1, 1), timestamps: Float64Array.from(slots), values });
      await app.get(SeriesMaintenanceService).maintain();
      await app.get(SeriesMaintenanceService).applyRetention();
      await dataSource.query('DELETE FROM org WHERE id = $1', [orgId]);
      expect(await dataSource.query('SELECT FROM audit_entry')).toEqual([]);
    } finally {
      await app.close();
      await database.drop();
    }
  });

  it('does not prevent the owner from altering tables that the application created', async () => {
    const client = new pg.Client({ connectionString: urls.ownerUrl });
    await client.connect();
    try {
      await client.query(
        'BEGIN; ALTER TABLE series_block ADD COLUMN probe integer; ALTER TABLE org ADD COLUMN probe integer',
      );
      await client.query('ROLLBACK');
    } finally {
      await client.end();
    }
  });
});
