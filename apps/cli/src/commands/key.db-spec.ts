import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Installation } from '../../../../test/support/cli-installation.js';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.create();
  await installation.anOrg('Example Ltd');
  await installation.done(['token', 'create', '--permissions', 'read']);
});
afterAll(() => installation.close());

const keyFile = (): Promise<string> => readFile(join(installation.dataFolder, 'secret.key'), 'utf8');

describe('plumbline key rotate --dry-run', () => {
  it('prints what it would do and changes nothing', async () => {
    const stored = async () => [
      await keyFile(),
      await installation.query('SELECT sealed, hash FROM token'),
      await installation.query('SELECT * FROM secret_key'),
      await installation.query('SELECT action FROM audit_entry'),
    ];
    const before = await stored();
    const { out, err } = await installation.done(['key', 'rotate', '--dry-run']);
    expect(out).toBe(
      `Would generate a new key in ${join(installation.dataFolder, 'secret.key')} and move 1 sealed copies to it.\n`,
    );
    expect(err).toBe('');
    expect(await stored()).toEqual(before);
    expect(out).not.toContain((await keyFile()).trim());
  });

  it('explains how to change a key from the environment', async () => {
    const key = (await keyFile()).trim();
    process.env.PLUMBLINE_SECRET_KEY = key;
    try {
      const { out } = await installation.done(['key', 'rotate', '--dry-run']);
      expect(out).toMatch(/^Everything is sealed under [0-9a-f]{8}\.\nThe keys come from the environment/);
      expect(out).not.toContain(key);
    } finally {
      delete process.env.PLUMBLINE_SECRET_KEY;
    }
  });

  it('reports a rotation of environment keys that it would continue', async () => {
    process.env.PLUMBLINE_SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
    process.env.PLUMBLINE_SECRET_KEY_PREVIOUS = (await keyFile()).trim();
    try {
      const { out } = await installation.done(['key', 'rotate', '--dry-run']);
      expect(out).toMatch(/^Would continue the rotation to the key [0-9a-f]{8}: 1 sealed copies to move\.\n$/);
    } finally {
      delete process.env.PLUMBLINE_SECRET_KEY;
      delete process.env.PLUMBLINE_SECRET_KEY_PREVIOUS;
    }
  });
});
