import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { productVersion } from '../../apps/server/src/common/product-version.js';
import { cut, releaseNotes } from '../../scripts/release/changelog.mjs';
import { VERSION_FILES, versionPlaces } from '../../scripts/release/version-places.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = [
  ...VERSION_FILES,
  '.gitignore',
  'bin',
  'CHANGELOG.md',
  'docs/guide/upgrading.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'scripts',
];

/** npm takes seconds to start, and a release calls it five times. */
const TIMEOUT_MS = 120_000;

interface Ended {
  code: number;
  output: string;
}

/** Runs a program to its end. A code other than 0 is a result, not an error. */
const run = (cwd: string, command: string, args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((done) => {
    const git = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    const child = execFile(command, args, { cwd, env: { ...process.env, ...git, ...env } }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    );
    child.stdin?.end();
  });

/**
 * Runs in a repository with the files that a release needs. Nothing is compiled, and the bill of materials is empty.
 */
describe('npm run release', () => {
  let copy: string;
  const version = productVersion();
  const [major, minor] = version.split('.').map(Number);
  const next = `${String(major)}.${String(minor! + 1)}.0`;

  const releaseWith = (env: Record<string, string>, ...args: string[]): Promise<Ended> =>
    run(copy, process.execPath, ['scripts/release.mjs', ...args], env);
  const release = (...args: string[]): Promise<Ended> => releaseWith({}, ...args);
  const git = async (...args: string[]): Promise<string> => {
    const { code, output } = await run(copy, 'git', args);
    expect([code, output]).toEqual([0, output]);
    return output.trim();
  };
  const textOf = (file: string): Promise<string> => readFile(join(copy, file), 'utf8');
  const commit = async (file: string, text: string): Promise<void> => {
    await writeFile(join(copy, file), text);
    await git('commit', '-qam', `change ${file}`);
  };
  const addUnreleased = async (line: string): Promise<void> =>
    commit(
      'CHANGELOG.md',
      (await textOf('CHANGELOG.md')).replace('## [Unreleased]\n', `## [Unreleased]\n\n### Added\n\n- ${line}\n`),
    );

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'plumbline-release-'));
    for (const name of COPIED) {
      await mkdir(dirname(join(copy, name)), { recursive: true });
      await cp(join(ROOT, name), join(copy, name), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const build = `node -e "fs.mkdirSync('dist/apps/cli',{recursive:true});fs.writeFileSync('dist/apps/cli/main.js','')"`;
    const description = JSON.parse(await textOf('package.json')) as { scripts: Record<string, string> };
    Object.assign(description.scripts, {
      build,
      'build:console': 'node -e ""',
      'build:docs': 'node -e ""',
      sbom: 'node -p "({})"',
    });
    await writeFile(join(copy, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
    await writeFile(join(copy, '.gitignore'), `${await textOf('.gitignore')}/node_modules\n`);
    // The unreleased changes of the repository are removed here.
    const changelog = await textOf('CHANGELOG.md');
    await writeFile(
      join(copy, 'CHANGELOG.md'),
      changelog.replace(/## \[Unreleased\]\n[^]*?(?=## \[\d)/, '## [Unreleased]\n\n'),
    );
    await git('init', '-q', '-b', 'main');
    await git('config', 'user.name', 'A Maintainer');
    await git('config', 'user.email', 'maintainer@example.org');
    await git('add', '.');
    await git('commit', '-qm', 'as it was');
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it.each([
    [[], 'Name one version'],
    [['1.1.0', '1.2.0'], 'Name one version'],
    [['1.1'], '"1.1" is not a version'],
    [['v9.9.9'], '"v9.9.9" is not a version'],
    [['1.1.0-rc.1'], '"1.1.0-rc.1" is not a version'],
    [['0.0.1'], '0.0.1 is not above'],
    [['99.0.0'], `99.0.0 does not follow ${version}: the next version is `],
    [[next, '--dryrun'], "Unknown option '--dryrun'"],
    [[next], 'There are no changes below [Unreleased] in CHANGELOG.md'],
  ])('rejects %j, without advice to run it again', async (args, reason) => {
    const { code, output } = await release(...args);
    expect(code).toBe(1);
    expect(output).toMatch(/^release: /);
    expect(output).toContain(reason);
    expect(output).not.toContain('run the same command again');
  });

  it.each(['--help', '-h'])('prints its usage with %s', async (option) => {
    expect(await release(option)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Usage: npm run release -- /),
    });
  });

  it('rejects headings without a change', async () => {
    const before = await textOf('CHANGELOG.md');
    await commit('CHANGELOG.md', before.replace('## [Unreleased]\n', '## [Unreleased]\n\n### Added\n'));
    const { output } = await release(next);
    await git('reset', '-q', '--hard', 'HEAD^');
    expect(output).toContain('There are no changes below [Unreleased] in CHANGELOG.md');
  });

  it('rejects a branch that is behind its upstream', async () => {
    await git('switch', '-q', '-c', 'ahead');
    await commit('README.md', 'Newer.\n');
    await git('switch', '-q', 'main');
    await git('branch', '-q', '--set-upstream-to', 'ahead');
    const { output } = await release(next);
    await git('branch', '-q', '--unset-upstream');
    expect(output).toContain('main is behind ahead (1 commit): pull first.');
  });

  it('rejects uncommitted changes and other branches', async () => {
    await writeFile(join(copy, 'stray.txt'), '');
    expect(await release(next)).toMatchObject({ code: 1, output: expect.stringContaining('stray.txt') as string });
    await rm(join(copy, 'stray.txt'));
    await git('switch', '-q', '-c', 'other');
    expect(await release(next)).toMatchObject({
      code: 1,
      output: expect.stringContaining(`${next} is released on main, not on other.`) as string,
    });
    await git('switch', '-q', 'main');
  });

  it('releases patches of an older minor version on its branch, and no other version', async () => {
    const branch = version.replace(/\d+$/, 'x');
    const patch = version.replace(/\d+$/, (number) => String(Number(number) + 1));
    await git('switch', '-q', '-c', branch);
    await addUnreleased('Something is fixed.');
    const dryRun = await release(patch, '--dry-run');
    const other = await release(next, '--dry-run');
    await git('switch', '-q', 'main');
    expect(dryRun).toMatchObject({ code: 0, output: expect.stringContaining(`Tag: v${patch}`) as string });
    expect(other).toMatchObject({ code: 1, output: expect.stringContaining(`not on ${branch}.`) as string });
  });

  it('rejects changes in addition to those of an untagged release, and names both solutions', async () => {
    const before = await git('rev-parse', 'HEAD');
    await addUnreleased('Something that came later.');
    const { code, output } = await release(version);
    await git('reset', '-q', '--hard', before);
    expect(code).toBe(1);
    expect(output).toContain(
      `CHANGELOG.md already has a section for ${version}, which has no tag, and more changes below`,
    );
    expect(output).toContain('Move them into that section and commit, or release the next version.');
  });

  it('restores the files when the commit fails', async () => {
    const before = await git('rev-parse', 'HEAD');
    await addUnreleased('Something new.');
    await writeFile(join(copy, '.git/hooks/pre-commit'), '#!/bin/sh\necho not today >&2\nexit 1\n', { mode: 0o755 });
    const { code, output } = await release(next);
    await rm(join(copy, '.git/hooks/pre-commit'));
    expect([code, output.match(/not today/g)?.length]).toEqual([1, 1]);
    expect(await git('status', '--porcelain')).toBe('');
    await git('reset', '-q', '--hard', before);
  });

  it.each([
    ['--dry-run', {}],
    // npm run release 1.1.0 --dry-run: npm takes the option itself.
    ['the variable of npm', { npm_config_dry_run: 'true' }],
  ])('shows with %s what it would do, and changes nothing', async (how, env) => {
    if (how === '--dry-run') await addUnreleased('Something new.');
    const before = await git('rev-parse', 'HEAD');
    const { code, output } = await releaseWith(env, next, ...(how === '--dry-run' ? [how] : []));
    expect(code).toBe(0);
    expect(output).toContain(`Tag: v${next}`);
    expect(output).toContain('- Something new.');
    expect([await git('status', '--porcelain'), await git('tag'), await git('rev-parse', 'HEAD')]).toEqual([
      '',
      '',
      before,
    ]);
  });

  it(
    'continues after a failure, and writes the version, the section of the changelog, the tag and the files',
    async () => {
      const working = await textOf('package.json');
      await commit('package.json', working.replace('"sbom": "', '"sbom": "exit 3; '));
      expect(await release(next)).toMatchObject({
        code: 1,
        output: expect.stringContaining('it continues from here') as string,
      });
      expect(await git('tag')).toBe('');
      await commit('package.json', (await textOf('package.json')).replace('"sbom": "exit 3; ', '"sbom": "'));

      const { code, output } = await release(next);
      expect([code, output]).toEqual([0, expect.stringContaining(`git push origin main v${next}`)]);
      const today = new Date().toISOString().slice(0, 10);
      expect(await textOf('CHANGELOG.md')).toContain(
        `\n## [Unreleased]\n\n## [${next}] - ${today}\n\n### Added\n\n- Something new.\n\n## [${version}] - `,
      );
      expect(new Set((await versionPlaces(copy)).map((place) => place.version))).toEqual(new Set([next]));
      expect(await textOf('SECURITY.md')).toContain(`newest minor version (${next.replace(/0$/, 'x')})`);
      expect(await git('log', '--format=%s', '-n', '2', '--', 'CHANGELOG.md')).toMatch(`release: ${next}\n`);
      expect(await git('rev-list', '-n1', `v${next}`)).toBe(await git('rev-parse', 'HEAD'));
      expect(await git('cat-file', '-t', `v${next}`)).toBe('tag');
      expect(await git('status', '--porcelain')).toBe('');

      const folder = join(copy, 'release', next);
      const tarball = `plumbline-${next}.tgz`;
      const files = [tarball, `plumbline-${next}.licences.tsv`, `plumbline-${next}.sbom.json`, 'notes.md'].sort();
      expect((await readdir(folder)).sort()).toEqual([...files, 'SHA256SUMS'].sort());
      expect(await run(folder, 'sha256sum', ['--check', '--quiet', 'SHA256SUMS'])).toEqual({ code: 0, output: '' });
      expect((await readFile(join(folder, 'SHA256SUMS'), 'utf8')).match(/\S+$/gm)!.sort()).toEqual(files);
      const notes = await readFile(join(folder, 'notes.md'), 'utf8');
      expect(notes).toBe(releaseNotes(await textOf('CHANGELOG.md'), await textOf('docs/guide/upgrading.md'), next));
      expect(notes).toContain(
        `# Plumbline ${next}\n\n### Added\n\n- Something new.\n\n` +
          '### Upgrading\n\nBefore you upgrade, read `docs/guide/upgrading.md`; the tarball contains it.\n',
      );
      expect(await readFile(join(folder, `plumbline-${next}.licences.tsv`), 'utf8')).toMatch(/^pg\t\S+\tMIT$/m);
      const { output: names } = await run(folder, 'tar', ['-tzf', tarball]);
      expect(names).toContain('package/npm-shrinkwrap.json');
      expect(names).not.toContain('package/scripts/');
    },
    TIMEOUT_MS,
  );

  it(
    'rejects a released version, and creates only its files again at its tag',
    async () => {
      await addUnreleased('Something newer.');
      expect(await release(next)).toMatchObject({
        code: 1,
        output: expect.stringContaining(`The tag v${next} exists already, at `) as string,
      });
      await git('reset', '-q', '--hard', `v${next}`);
      await rm(join(copy, 'release'), { recursive: true });
      expect(await release(next)).toMatchObject({ code: 0 });
      expect(await readdir(join(copy, 'release', next))).toContain('SHA256SUMS');
    },
    TIMEOUT_MS,
  );

  it('adds upgrade steps to the notes, and replaces relative links by file names', () => {
    const changelog =
      '## [1.1.0] - 2026-12-01\n\n### Added\n\n- A, see [backup](docs/guide/backup.md#restore) and [B](https://example.org/).\n\n## [1.0.0]';
    const upgrading =
      '# Upgrading\n\n## Notes\n\n### To 1.1.0\n\n- Change [this](backup.md), as [above](#notes).\n\n### To 1.0.0 from a development version\n\n- No.\n';
    expect(releaseNotes(changelog, upgrading, '1.1.0')).toBe(
      '# Plumbline 1.1.0\n\n### Added\n\n- A, see backup (`docs/guide/backup.md`) and [B](https://example.org/).\n\n' +
        '### Upgrading\n\nBefore you upgrade, read `docs/guide/upgrading.md`; the tarball contains it.\n\n' +
        '- Change this (`docs/guide/backup.md`), as above.\n',
    );
    expect(releaseNotes('## [1.0.0] - 2026-11-28\n\nFirst.\n', upgrading, '1.0.0')).toContain('- No.\n');
    expect(releaseNotes('## [1.0] - 2026-11-28\n\nFirst.\n', upgrading, '1.0')).not.toContain('- No.');
  });

  it('updates the links at the end of the changelog', () => {
    const text =
      '## [Unreleased]\n\n- A.\n\n## [1.0.0] - 2026-11-28\n\n[unreleased]: https://example.org/compare/v1.0.0...HEAD\n';
    expect(cut(text, '1.1.0', '2026-12-01')).toBe(
      '## [Unreleased]\n\n## [1.1.0] - 2026-12-01\n\n- A.\n\n## [1.0.0] - 2026-11-28\n\n' +
        '[unreleased]: https://example.org/compare/v1.1.0...HEAD\n[1.1.0]: https://example.org/compare/v1.0.0...v1.1.0\n',
    );
  });
});
