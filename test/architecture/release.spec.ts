import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { cut } from '../../scripts/release/changelog.mjs';
import { VERSION_FILES, versionPlaces } from '../../scripts/release/version-places.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = [
  ...VERSION_FILES,
  '.gitignore',
  'bin',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'scripts',
];

/** npm takes seconds to begin, and a release calls it five times. */
const TIMEOUT_MS = 120_000;

interface Ended {
  code: number;
  said: string;
}

/** Runs a program to its end; a code other than 0 is an answer. */
const run = (cwd: string, command: string, ...args: string[]): Promise<Ended> =>
  new Promise((done) => {
    const git = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    const child = execFile(command, args, { cwd, env: { ...process.env, ...git } }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), said: `${stdout}${stderr}` }),
    );
    child.stdin?.end();
  });

/** A repository with what a release needs; nothing is compiled in it, and its bill of materials is empty. */
describe('npm run release', () => {
  let copy: string;
  let version: string;
  let next: string;

  const release = (...args: string[]): Promise<Ended> => run(copy, process.execPath, 'scripts/release.mjs', ...args);
  const git = async (...args: string[]): Promise<string> => {
    const { code, said } = await run(copy, 'git', ...args);
    expect([code, said]).toEqual([0, said]);
    return said.trim();
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
    const description = JSON.parse(await textOf('package.json')) as {
      version: string;
      scripts: Record<string, string>;
    };
    Object.assign(description.scripts, {
      build,
      'build:console': 'node -e ""',
      'build:docs': 'node -e ""',
      sbom: 'node -p "({})"',
    });
    await writeFile(join(copy, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
    await writeFile(join(copy, '.gitignore'), `${await textOf('.gitignore')}/node_modules\n`);
    // What is unreleased in the repository is not, here.
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
    version = description.version;
    const [major, minor] = version.split('.').map(Number);
    next = `${String(major)}.${String(minor! + 1)}.0`;
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it.each([
    [[], 'Name the version, three numbers'],
    [['1.1'], 'Name the version, three numbers'],
    [['v9.9.9'], 'Name the version, three numbers'],
    [['0.0.1'], '0.0.1 is not above'],
    [['99.0.0'], 'There is nothing below [Unreleased] in CHANGELOG.md'],
  ])('refuses %j', async (args, reason) => {
    const { code, said } = await release(...args);
    expect(code).toBe(1);
    expect(said).toMatch(/^release: /);
    expect(said).toContain(reason);
  });

  it('refuses changes that are not committed, and another branch', async () => {
    await writeFile(join(copy, 'stray.txt'), '');
    expect(await release(next)).toMatchObject({ code: 1, said: expect.stringContaining('stray.txt') as string });
    await rm(join(copy, 'stray.txt'));
    await git('switch', '-q', '-c', 'other');
    expect(await release(next)).toMatchObject({
      code: 1,
      said: expect.stringContaining('Releases are made on main, not on other.') as string,
    });
    await git('switch', '-q', 'main');
  });

  it('says what it would do, and does nothing', async () => {
    await addUnreleased('Something new.');
    const before = await git('rev-parse', 'HEAD');
    const { code, said } = await release(next, '--dry-run');
    expect(code).toBe(0);
    expect(said).toContain(`Tag: v${next}`);
    expect(said).toContain('- Something new.');
    expect([await git('status', '--porcelain'), await git('tag'), await git('rev-parse', 'HEAD')]).toEqual([
      '',
      '',
      before,
    ]);
  });

  it(
    'goes on after a failure, with the version everywhere, a section of today, a tag and the files',
    async () => {
      const working = await textOf('package.json');
      await commit('package.json', working.replace('"sbom": "', '"sbom": "exit 3; '));
      expect(await release(next)).toMatchObject({
        code: 1,
        said: expect.stringContaining('it goes on from here') as string,
      });
      expect(await git('tag')).toBe('');
      await commit('package.json', (await textOf('package.json')).replace('"sbom": "exit 3; ', '"sbom": "'));

      const { code, said } = await release(next);
      expect([code, said]).toEqual([0, expect.stringContaining(`git push origin main v${next}`)]);
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
      expect(await run(folder, 'sha256sum', '--check', '--quiet', 'SHA256SUMS')).toEqual({ code: 0, said: '' });
      expect((await readFile(join(folder, 'SHA256SUMS'), 'utf8')).match(/\S+$/gm)!.sort()).toEqual(files);
      expect(await readFile(join(folder, 'notes.md'), 'utf8')).toBe(
        `# Plumbline ${next}\n\n### Added\n\n- Something new.\n`,
      );
      expect(await readFile(join(folder, `plumbline-${next}.licences.tsv`), 'utf8')).toMatch(/^pg\t\S+\tMIT$/m);
      const { said: names } = await run(folder, 'tar', '-tzf', tarball);
      expect(names).toContain('package/npm-shrinkwrap.json');
      expect(names).not.toContain('package/scripts/');
    },
    TIMEOUT_MS,
  );

  it(
    'refuses a version that is released, and makes only the files again at its tag',
    async () => {
      await addUnreleased('Something newer.');
      expect(await release(next)).toMatchObject({ code: 1, said: expect.stringContaining('is not above') as string });
      await git('reset', '-q', '--hard', `v${next}`);
      await rm(join(copy, 'release'), { recursive: true });
      expect(await release(next)).toMatchObject({ code: 0 });
      expect(await readdir(join(copy, 'release', next))).toContain('SHA256SUMS');
    },
    TIMEOUT_MS,
  );

  it('lets links at the end of the changelog follow', () => {
    const text =
      '## [Unreleased]\n\n- A.\n\n## [1.0.0] - 2026-11-28\n\n[unreleased]: https://example.org/compare/v1.0.0...HEAD\n';
    expect(cut(text, '1.1.0', '2026-12-01')).toBe(
      '## [Unreleased]\n\n## [1.1.0] - 2026-12-01\n\n- A.\n\n## [1.0.0] - 2026-11-28\n\n' +
        '[unreleased]: https://example.org/compare/v1.1.0...HEAD\n[1.1.0]: https://example.org/compare/v1.0.0...v1.1.0\n',
    );
  });
});
