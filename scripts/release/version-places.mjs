/**
 * Places that contain the version of the product. `test/architecture/version.spec.ts` checks that none is missing here.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NUMBER = String.raw`\d+\.\d+\.\d+`;
const IMAGE = new RegExp(String.raw`(plumbline:)(${NUMBER})`, 'g');
const TAG = new RegExp(String.raw`(checkout v)(${NUMBER})`, 'g');
const TARBALL = new RegExp(String.raw`(plumbline-)(${NUMBER})(?=\.tgz)`, 'g');

/**
 * Patterns by file. The second group of a pattern is the version. It must match `times` times, or at least once if
 * `times` is not given.
 */
const PLACES = [
  { file: 'package.json', pattern: new RegExp(String.raw`^(  "version": ")(${NUMBER})`, 'gm'), times: 1 },
  // The version of the file and that of the project among its packages.
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

/** The place of the newest minor version, as 1.0.x. */
const MINOR = { file: 'SECURITY.md', pattern: /(newest minor version \()(\d+\.\d+\.x)/ };

/**
 * @param {string} root the folder of the repository
 * @returns {Promise<{ file: string, version: string }[]>} every place with its version
 * @throws {Error} if a file has another number of places than it should have
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

/** Files that contain the version, each once. */
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
