/** `npm run tarball`: packs the build as `npm pack` does (`files` of package.json), with the lock file inside. */
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** More than the tarball contains: `files` of package.json decides. */
const COPIED = ['bin', 'deploy', 'dist', 'docs', 'CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'];

const run = promisify(execFile);

/**
 * npm never packs package-lock.json, only npm-shrinkwrap.json, which has the same format. With it, `npm ci` in the
 * unpacked folder installs exactly the tested packages. It is created in a copy, so that npm commands in the repository
 * do not use it as the lock file.
 * @param {string} root the built repository
 * @param {string} folder where the tarball is written; created if missing
 * @returns {Promise<string>} the tarball
 */
export async function pack(root, folder) {
  const copy = await mkdtemp(join(tmpdir(), 'plumbline-pack-'));
  try {
    for (const name of COPIED) {
      await cp(join(root, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith('.map') });
    }
    await copyFile(join(root, 'package-lock.json'), join(copy, 'npm-shrinkwrap.json'));
    await mkdir(folder, { recursive: true });
    const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      cwd: copy,
      maxBuffer: 1 << 26,
    });
    // An array, or an object by name, depending on npm's version.
    const [{ filename }] = Object.values(JSON.parse(stdout));
    return join(folder, filename);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  console.log(await pack(root, resolve(process.argv[2] ?? join(root, 'release'))));
}
