import { Installation } from '../../../../test/support/cli-installation.js';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.create();
});
afterAll(() => installation.close());

describe('plumbline token create', () => {
  it('prints only the token, and writes an audit entry without it', async () => {
    const orgId = await installation.anOrg('Example Ltd');
    const { out, err } = await installation.done([
      ...['token', 'create', '--permissions', 'ingest,read', '--name', 'edge', '--valid-days', '90'],
    ]);
    expect(out).toMatch(/^pl_\S+\n$/);
    expect(err).toContain(`Token "edge" of "Example Ltd" (${orgId}): read, ingest, until `);
    const acts = await installation.audit(orgId);
    expect(acts).toMatchObject([{ action: 'token.create', actorType: 'operator', objectName: 'edge' }]);
    expect(JSON.stringify(acts)).not.toContain(out.trim());
  });

  it('rejects an unknown organisation', async () => {
    const ended = await installation.run(['token', 'create', '--permissions', 'read', '--org', 'Nope']);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toContain('there is no organisation "Nope"');
  });
});
