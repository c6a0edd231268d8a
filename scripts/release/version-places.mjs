/** Where the version of the product stands. `test/architecture/version.spec.ts` holds that no place is missing here. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NUMBER = String.raw`\d+\.\d+\.\d+`;
const IMAGE = new RegExp(String.raw`(plumbline:)(${NUMBER})`, 'g');
const TAG = new RegExp(String.raw`(checkout v)(${NUMBER})`, 'g');
const TARBALL = new RegExp(String.raw`(plumbline-)(${NUMBER})(?=\.tgz)`, 'g');

/**
 * Patterns by file. The second group of a pattern is the version; it matches `times` times, or at least once where no
 * number is given.
 */
const PLACES = [
  { file: 'package.json', pattern: new RegExp(String.raw`^(  "version": ")(${NUMBER})`, 'gm'), times: 1 },
  // That of the file and that of the project among its packages.
  {
    file: 'package-lock.json',
    pattern: new RegExp(String.raw`("name": "plumbline",\s+"version": ")(${NUMBER})`, 'g'),
    times: 2,
  },
  {
    file: 'deploy/helm/plumbline/Chart.yaml',
    pattern: new RegExp(String.raw`^((?:version|appVersion): )(${NUMBER})$`, 'gm'),
    times: 2,
  },
  {
    file: 'deploy/kustomize/example/kustomization.yaml',
    pattern: new RegExp(String.raw`^(    newTag: )(${NUMBER})$`, 'gm'),
    times: 1,
  },
  { file: 'deploy/compose.yaml', pattern: IMAGE, times: 1 },
  {
    file: 'Dockerfile',
    pattern: new RegExp(String.raw`(org\.opencontainers\.image\.version=")(${NUMBER})`, 'g'),
    times: 1,
  },
  { file: 'docs/guide/kubernetes.md', pattern: IMAGE },
  { file: 'docs/guide/installing.md', pattern: IMAGE },
  { file: 'docs/guide/installing.md', pattern: TARBALL },
  { file: 'docs/guide/installing.md', pattern: TAG },
];

/** Where the newest minor version stands, as 1.0.x. */
const MINOR = { file: 'SECURITY.md', pattern: /(newest minor version \()(\d+\.\d+\.x)/ };

/**
 * @param {string} root the folder of the repository
 * @returns {Promise<{ file: string, version: string }[]>} every place with the version that stands there
 * @throws {Error} where a file has another number of places than it should have
 */
export async function versionPlaces(root) {
  const found = [];
  for (const { file, pattern, times } of PLACES) {
    const versions = [...(await readFile(join(root, file), 'utf8')).matchAll(pattern)].map((match) => match[2]);
    if (times === undefined ? versions.length === 0 : versions.length !== times) {
      throw new Error(`${file} names the version ${String(versions.length)} times: ${String(pattern)}`);
    }
    found.push(...versions.map((version) => ({ file, version })));
  }
  return found;
}

/** Files that name the version, each once. */
export const VERSION_FILES = [...new Set([...PLACES, MINOR].map(({ file }) => file))];

/**
 * Writes another version everywhere.
 * @param {string} root the folder of the repository
 * @param {string} version
 */
export async function writeVersion(root, version) {
  const minor = version.replace(/\d+$/, 'x');
  for (const [{ file, pattern }, written] of [...PLACES.map((place) => [place, version]), [MINOR, minor]]) {
    const text = await readFile(join(root, file), 'utf8');
    await writeFile(join(root, file), text.replace(pattern, `$1${written}`));
  }
}
