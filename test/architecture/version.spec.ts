import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { productVersion } from '../../apps/server/src/common/product-version.js';
import { newestRelease } from '../../scripts/release/changelog.mjs';
import { versionPlaces } from '../../scripts/release/version-places.mjs';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

const textOf = (file: string): Promise<string> => readFile(join(ROOT, file), 'utf8');

describe('the version', () => {
  it('is the same in all places and in the newest section of the changelog', async () => {
    const version = productVersion();
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect((await versionPlaces(ROOT)).filter((place) => place.version !== version)).toEqual([]);
    expect(newestRelease(await textOf('CHANGELOG.md'))).toBe(version);
  });

  it('appears in no other place as a version of an image, a tarball or a tag', async () => {
    const known = new Set((await versionPlaces(ROOT)).map(({ file }) => file));
    const pattern = '(plumbline[:-]|newTag: |appVersion: |checkout v)[0-9]+\\.[0-9]+\\.[0-9]+';
    const files = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'Dockerfile', '.github', 'deploy', 'docs'];
    const { stdout } = await run('git', ['grep', '--untracked', '-lE', pattern, '--', ...files], { cwd: ROOT });
    expect(stdout.split('\n').filter((file) => file !== '' && !known.has(file))).toEqual([]);
  });

  it('is independent of the version of the API', async () => {
    const { info } = JSON.parse(await textOf('apps/server/openapi.json')) as { info: { version: string } };
    expect(info.version).toBe('1');
  });
});
