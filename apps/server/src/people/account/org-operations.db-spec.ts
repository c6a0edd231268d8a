import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { OrgService } from '../org/org.service.js';
import { OrgOperationsService } from './org-operations.service.js';

let app: IdentityApp;
beforeAll(async () => {
  app = await IdentityApp.create();
});
afterAll(() => app.close());

it('OrgOperationsService creates and deletes organisations, and records both in the audit trail', async () => {
  const operations = app.get(OrgOperationsService);
  const { id } = await operations.create({ name: 'Example Ltd', timezone: 'Europe/Oslo' });
  expect(await app.get(OrgService).find(id)).toMatchObject({ name: 'Example Ltd', timezone: 'Europe/Oslo' });
  await operations.delete(id);
  expect(await app.get(OrgService).find(id)).toBeNull();
  const entries: unknown = await app.database.dataSource.query(
    'SELECT action, actor_type FROM audit_entry WHERE org_id = $1 ORDER BY id',
    [id],
  );
  expect(entries).toEqual([
    { action: 'org.create', actor_type: 'operator' },
    { action: 'org.delete', actor_type: 'operator' },
  ]);
});

it('OrgOperationsService creates no organisation when its audit entry fails', async () => {
  const orgs = app.get(OrgService);
  const before = await orgs.listAll();
  await app.database.dataSource.query('ALTER TABLE audit_entry RENAME TO elsewhere');
  try {
    await expect(app.get(OrgOperationsService).create({ name: 'Half', timezone: 'UTC' })).rejects.toThrow(
      'audit_entry',
    );
  } finally {
    await app.database.dataSource.query('ALTER TABLE elsewhere RENAME TO audit_entry');
  }
  expect(await orgs.listAll()).toEqual(before);
});
