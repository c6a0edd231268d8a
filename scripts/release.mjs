/**
 * `npm run release -- 1.1.0`: writes the version and the section of the changelog, commits, tags, and puts the files to
 * publish into release/1.1.0; see CONTRIBUTING.md. `--dry-run` only shows what it would do.
 *
 * Running it again with the same version continues an interrupted release: it keeps what exists and creates what is
 * missing.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { cut, newestRelease, releaseNotes, unreleased } from './release/changelog.mjs';
import { pack } from './release/pack.mjs';
import { VERSION_FILES, versionPlaces, writeVersion } from './release/version-places.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CHANGELOG = join(ROOT, 'CHANGELOG.md');
const UPGRADING = join(ROOT, 'docs/guide/upgrading.md');
const BRANCH = 'main';
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
const USAGE = `Usage: npm run release -- VERSION [--dry-run]

Makes the release VERSION (three numbers, such as 1.1.0) on the branch main, or a patch of an older minor version on its branch,
such as 1.0.x. It writes the version and the changelog, commits, builds, fills release/VERSION/, and creates the tag vVERSION.
Nothing is pushed or published. After a failure, run the same command again: it continues from there.

Options:
  --dry-run   check everything, show the notes, and change nothing
  -h, --help  show this text

See "Making a release" in CONTRIBUTING.md.`;

class Refusal extends Error {}

const execute = promisify(execFile);

async function run(command, ...args) {
  const { stdout } = await execute(command, args, { cwd: ROOT, maxBuffer: 1 << 28 });
  return stdout;
}

const git = async (...args) => (await run('git', ...args)).trim();

/** Compares numbers as numbers: 1.10.0 is above 1.9.0. */
const isAbove = (version, other) => version.localeCompare(other, 'en', { numeric: true }) > 0;

/** The versions that may follow a version according to Semantic Versioning. */
function followersOf(last) {
  const [major, minor, patch] = last.split('.').map(Number);
  return [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`];
}

function readArguments() {
  const options = {
    'dry-run': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  };
  let parsed;
  try {
    parsed = parseArgs({ allowPositionals: true, options });
  } catch (error) {
    throw new Refusal(`${error.message.split('. ')[0]}\n(--help shows how it is used)`);
  }
  const { values, positionals } = parsed;
  if (values.help) return { isHelp: true };
  const [version] = positionals;
  if (positionals.length !== 1)
    throw new Refusal(`Name one version: npm run release -- 1.1.0\n(--help shows how it is used)`);
  if (!VERSION.test(version)) {
    throw new Refusal(`"${version}" is not a version: it has three numbers and nothing else, such as 1.1.0.`);
  }
  // npm takes the option itself if the two dashes are missing: npm run release 1.1.0 --dry-run.
  return { version, isDryRun: values['dry-run'] || process.env.npm_config_dry_run === 'true' };
}

/** Patches of an older minor version, which SECURITY.md promises, have their own branch. */
async function checkBranch(version) {
  const branch = await git('branch', '--show-current');
  const branches = version.endsWith('.0') ? [BRANCH] : [BRANCH, version.replace(/\d+$/, 'x')];
  if (!branches.includes(branch)) {
    const found = branch === '' ? 'a detached HEAD' : branch;
    throw new Refusal(`${version} is released on ${branches.join(' or ')}, not on ${found}.`);
  }
  // As of the last fetch, since a release does not need the network.
  const upstream = await git('rev-parse', '--abbrev-ref', '@{upstream}').catch(() => null);
  const missing = upstream === null ? 0 : Number(await git('rev-list', '--count', `HEAD..${upstream}`));
  if (missing > 0) {
    throw new Refusal(
      `${branch} is behind ${upstream} (${missing} ${missing === 1 ? 'commit' : 'commits'}): pull first.`,
    );
  }
  return branch;
}

/** Checks the conditions before anything is written, and returns the steps that are still to be done. */
async function check(version) {
  const changes = (await run('git', 'status', '--porcelain')).trimEnd();
  if (changes !== '') throw new Refusal(`There are changes that are not committed:\n${changes}`);
  const branch = await checkBranch(version);
  const places = await versionPlaces(ROOT);
  const last = places[0].version;
  const odd = places.find((place) => place.version !== last);
  if (odd) throw new Refusal(`${odd.file} has the version ${odd.version}, and package.json ${last}.`);

  const changelog = await readFile(CHANGELOG, 'utf8');
  const news = unreleased(changelog);
  const hasSection = last === version && newestRelease(changelog) === version;
  const isWritten = hasSection && news === '';
  const tagged =
    (await git('tag', '--list', `v${version}`)) === '' ? null : await git('rev-list', '-n1', `v${version}`);
  if (tagged !== null && (!isWritten || tagged !== (await git('rev-parse', 'HEAD')))) {
    throw new Refusal(`The tag v${version} exists already, at ${tagged.slice(0, 12)}.`);
  }
  if (hasSection && !isWritten) {
    throw new Refusal(
      `CHANGELOG.md already has a section for ${version}, which has no tag, and more changes below [Unreleased]. ` +
        'Move them into that section and commit, or release the next version.',
    );
  }
  if (!isWritten) checkNews(version, last, news);
  return { branch, changelog, isWritten, isTagged: tagged !== null };
}

function checkNews(version, last, news) {
  if (!isAbove(version, last)) throw new Refusal(`${version} is not above ${last}, the version of package.json.`);
  const followers = followersOf(last);
  if (!followers.includes(version)) {
    throw new Refusal(`${version} does not follow ${last}: the next version is ${followers.join(' or ')}.`);
  }
  if (!/^- /m.test(news)) {
    throw new Refusal('There are no changes below [Unreleased] in CHANGELOG.md: write what changes for a user.');
  }
}

async function write(version, changelog) {
  const files = ['CHANGELOG.md', ...VERSION_FILES];
  try {
    await writeVersion(ROOT, version);
    await writeFile(CHANGELOG, changelog);
    await git('add', '--', ...files);
    await git('commit', '--quiet', '--message', `release: ${version}`);
  } catch (error) {
    // A hook or a missing committer name may refuse the commit. Written changes would stop the next attempt.
    await git('restore', '--staged', '--worktree', '--', ...files);
    throw error;
  }
}

/** Builds the files to publish from scratch, and returns their folder. */
async function makeFiles(version, notes) {
  const folder = join(ROOT, 'release', version);
  await rm(folder, { recursive: true, force: true });
  await rm(join(ROOT, 'dist'), { recursive: true, force: true });
  console.log('Building from scratch, which takes a minute or two.');
  await run('npm', 'run', '--silent', 'build');
  await run('npm', 'run', '--silent', 'build:console');
  await run('npm', 'run', '--silent', 'build:docs');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'notes.md'), notes);
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
  const { version, isDryRun, isHelp } = readArguments();
  if (isHelp) {
    console.log(USAGE);
    return;
  }
  const { branch, changelog, isWritten, isTagged } = await check(version);
  const date = new Date().toISOString().slice(0, 10);
  const text = isWritten ? changelog : cut(changelog, version, date);
  const notes = releaseNotes(text, await readFile(UPGRADING, 'utf8'), version);
  if (isDryRun) {
    const files = isWritten ? 'none, all are written' : ['CHANGELOG.md', ...VERSION_FILES].join(', ');
    const tag = `v${version}${isTagged ? ' (exists)' : ''}`;
    console.log(`Would release ${version}.\nFiles: ${files}\nTag: ${tag}\nNotes:\n\n${notes}`);
    return;
  }
  if (!isWritten) await write(version, text);
  const folder = await makeFiles(version, notes);
  if (!isTagged) await git('tag', '--annotate', '--message', `Plumbline ${version}`, `v${version}`);
  console.log(
    `Released ${version}: the files to publish are in ${relative(ROOT, folder)}.\nNext: git push origin ${branch} v${version}`,
  );
}

try {
  await release();
} catch (error) {
  // The message of a failed program already contains its standard error.
  const text = [error.message, error.stdout].filter(Boolean).join('\n').trimEnd();
  const advice = error instanceof Refusal ? '' : '\nFix this and run the same command again: it continues from here.';
  console.error(`release: ${text}${advice}`);
  process.exitCode = 1;
}
