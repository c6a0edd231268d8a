import { Installation } from '../../../../test/support/cli-installation.js';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.create();
});
afterAll(() => installation.close());

async function idOf(name: string): Promise<number | undefined> {
  const rows = await installation.query<{ id: number }>('SELECT id FROM org WHERE name = $1', [name]);
  return rows[0]?.id;
}

describe('plumbline org', () => {
  it('reports that no organisation exists', async () => {
    expect(await installation.done(['org', 'list'])).toMatchObject({
      out: '',
      err: expect.stringContaining('no organ'),
    });
    expect((await installation.done(['org', 'list', '--json'])).out).toBe('[]\n');
  });

  it('creates an organisation and lists it', async () => {
    const { out, err } = await installation.done(['org', 'create', ' Example Ltd ', '--timezone', 'Europe/Oslo']);
    const id = (await idOf('Example Ltd'))!;
    expect(out).toBe(`Organisation ${id}: "Example Ltd", Europe/Oslo\n`);
    expect(err).toContain(`plumbline user create --org ${id} --email … --admin`);
    expect(await installation.audit(id)).toEqual([
      {
        action: 'org.create',
        actorType: 'operator',
        objectId: String(id),
        objectName: 'Example Ltd',
        changes: [
          { field: 'name', before: null, after: 'Example Ltd' },
          { field: 'timezone', before: null, after: 'Europe/Oslo' },
        ],
      },
    ]);
    await installation.done(['user', 'create', '--org', String(id), '--email', 'ada@example.org', '--admin']);
    const list = await installation.done(['org', 'list']);
    expect(list.out).toMatch(/^ID +NAME +TIMEZONE +CREATED +USERS\n/);
    expect(list.out).toMatch(new RegExp(`\n${id} +Example Ltd +Europe/Oslo +\\d{4}-\\d\\d-\\d\\d +1\n$`));
    expect(JSON.parse((await installation.done(['org', 'list', '--json'])).out)).toMatchObject([
      { id, name: 'Example Ltd', timezone: 'Europe/Oslo', users: 1, demo: false },
    ]);
  });

  it('deletes an organisation only with --yes, and marks it for erasure by a running server', async () => {
    const id = await installation.anOrg('Leaving');
    await installation.done(['user', 'create', '--org', 'Leaving', '--email', 'last@example.org', '--admin']);
    const asked = await installation.run(['org', 'delete', 'Leaving']);
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.err).toContain(`this deletes "Leaving" (${id}) permanently: 1 user, all tokens`);
    expect((await installation.done(['org', 'list'])).out).toContain('Leaving');

    const { out, err } = await installation.done(['org', 'delete', String(id), '--yes']);
    expect(out).toContain(`Organisation ${id}, "Leaving", is deleted`);
    expect(err).toContain('erased by a running server');
    expect((await installation.done(['org', 'list'])).out).not.toContain('Leaving');
    const [row] = await installation.query('SELECT deleted_at IS NOT NULL AS deleted FROM org WHERE id = $1', [id]);
    expect(row).toEqual({ deleted: true });
    expect((await installation.audit(id)).at(-1)).toMatchObject({ action: 'org.delete', actorType: 'operator' });
    // The address can be used again immediately.
    const again = ['user', 'create', '--org', 'Example Ltd', '--email', 'last@example.org'];
    await installation.done(again);
    const gone = await installation.run(['org', 'delete', String(id), '--yes']);
    expect(gone.code).toBe(2);
    expect(gone.err).toContain(`there is no organisation "${id}"`);
  });
});
