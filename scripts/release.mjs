/**
 * `npm run release -- 1.1.0`: writes the version and the section of the changelog, commits, tags, and puts what is published
 * into release/1.1.0; see CONTRIBUTING.md. `--dry-run` only says what would be done.
 *
 * The same version again goes on where a release was interrupted: what is written is kept, and only what is missing is made.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { cut, newestRelease, sectionOf, unreleased } from './release/changelog.mjs';
import { pack } from './release/pack.mjs';
import { VERSION_FILES, versionPlaces, writeVersion } from './release/version-places.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CHANGELOG = join(ROOT, 'CHANGELOG.md');
const BRANCH = 'main';

class Refusal extends Error {}

const execute = promisify(execFile);

async function run(command, ...args) {
  const { stdout } = await execute(command, args, { cwd: ROOT, maxBuffer: 1 << 28 });
  return stdout;
}

const git = async (...args) => (await run('git', ...args)).trim();

/** Numbers are compared as numbers: 1.10.0 is above 1.9.0. */
const isAbove = (version, other) => version.localeCompare(other, 'en', { numeric: true }) > 0;

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  const [version] = positionals;
  if (positionals.length !== 1 || !/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) {
    throw new Refusal('Name the version, three numbers: npm run release -- 1.1.0');
  }
  return { version, isDryRun: values['dry-run'] };
}

/** What must hold before anything is written. Answers what is still to be done. */
async function check(version) {
  const changes = await git('status', '--porcelain');
  if (changes !== '') throw new Refusal(`There are changes that are not committed:\n${changes}`);
  const branch = await git('branch', '--show-current');
  if (branch !== BRANCH) {
    throw new Refusal(`Releases are made on ${BRANCH}, not on ${branch === '' ? 'a detached HEAD' : branch}.`);
  }
  const places = await versionPlaces(ROOT);
  const last = places[0].version;
  const odd = places.find((place) => place.version !== last);
  if (odd) throw new Refusal(`${odd.file} says ${odd.version}, and package.json ${last}.`);

  const changelog = await readFile(CHANGELOG, 'utf8');
  const isWritten = last === version && newestRelease(changelog) === version && unreleased(changelog) === '';
  if (!isWritten && !isAbove(version, last)) {
    throw new Refusal(`${version} is not above ${last}, the version of package.json.`);
  }
  if (!isWritten && unreleased(changelog) === '') {
    throw new Refusal('There is nothing below [Unreleased] in CHANGELOG.md: say what changes for a user.');
  }
  const tagged =
    (await git('tag', '--list', `v${version}`)) === '' ? null : await git('rev-list', '-n1', `v${version}`);
  if (tagged !== null && (!isWritten || tagged !== (await git('rev-parse', 'HEAD')))) {
    throw new Refusal(`The tag v${version} is there already, at ${tagged.slice(0, 12)}.`);
  }
  return { changelog, isWritten, isTagged: tagged !== null };
}

async function write(version, changelog) {
  await writeVersion(ROOT, version);
  await writeFile(CHANGELOG, changelog);
  await git('add', '--', 'CHANGELOG.md', ...VERSION_FILES);
  await git('commit', '--quiet', '--message', `release: ${version}`);
}

/** What is published, built from nothing. Answers the folder. */
async function makeFiles(version, notes) {
  const folder = join(ROOT, 'release', version);
  await rm(folder, { recursive: true, force: true });
  await rm(join(ROOT, 'dist'), { recursive: true, force: true });
  await run('npm', 'run', '--silent', 'build');
  await run('npm', 'run', '--silent', 'build:console');
  await run('npm', 'run', '--silent', 'build:docs');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'notes.md'), `# Plumbline ${version}\n\n${notes}\n`);
  await writeFile(join(folder, `plumbline-${version}.sbom.json`), await run('npm', 'run', '--silent', 'sbom'));
  await writeFile(
    join(folder, `plumbline-${version}.licences.tsv`),
    await run('node', 'scripts/check-licences.mjs', '--list'),
  );
  await pack(ROOT, folder);
  const sums = [];
  for (const name of (await readdir(folder)).sort()) {
    const hash = createHash('sha256').update(await readFile(join(folder, name)));
    sums.push(`${hash.digest('hex')}  ${name}\n`);
  }
  await writeFile(join(folder, 'SHA256SUMS'), sums.join(''));
  return folder;
}

async function release() {
  const { version, isDryRun } = readArguments();
  const { changelog, isWritten, isTagged } = await check(version);
  const date = new Date().toISOString().slice(0, 10);
  const text = isWritten ? changelog : cut(changelog, version, date);
  const notes = sectionOf(text, version);
  if (isDryRun) {
    const files = isWritten ? 'none, all is written' : ['CHANGELOG.md', ...VERSION_FILES].join(', ');
    console.log(`Would release ${version}.\nFiles: ${files}\nTag: v${version}\nNotes:\n\n${notes}`);
    return;
  }
  if (!isWritten) await write(version, text);
  const folder = await makeFiles(version, notes);
  if (!isTagged) await git('tag', '--annotate', '--message', `Plumbline ${version}`, `v${version}`);
  console.log(
    `Released ${version}: ${relative(ROOT, folder)} has what is to be published.\nNext: git push origin ${BRANCH} v${version}`,
  );
}

try {
  await release();
} catch (error) {
  const said = [error.message, error.stdout, error.stderr].filter(Boolean).join('\n');
  const advice = error instanceof Refusal ? '' : '\nMend it and run the same command again: it goes on from here.';
  console.error(`release: ${said}${advice}`);
  process.exitCode = 1;
}
