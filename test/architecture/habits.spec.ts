import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { productVersion } from '../../apps/server/src/common/product-version.js';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const FORMS = '.github/ISSUE_TEMPLATE';
/** https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-githubs-form-schema */
const QUESTIONS = ['checkboxes', 'dropdown', 'input', 'textarea'];

const textOf = (file: string): Promise<string> => readFile(join(ROOT, file), 'utf8');

interface Form {
  name: string;
  description: string;
  labels: string[];
  body: { type: string; id?: string; attributes: { label?: string; value?: string; options?: unknown[] } }[];
}

describe('CODEOWNERS', () => {
  let rules: { path: string; teams: string[] }[];

  beforeAll(async () => {
    const lines = (await textOf('.github/CODEOWNERS')).split('\n').filter((line) => /^[^#\s]/.test(line));
    rules = lines.map((line) => {
      const [path = '', ...teams] = line.split(/ +/);
      return { path, teams };
    });
  });

  it('lists existing paths, each once, with teams', async () => {
    const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
    const files = stdout.split('\n').map((file) => `/${file}`);
    const has = (path: string): boolean =>
      files.some((file) => (path.endsWith('/') ? file.startsWith(path) : file === path));
    expect(rules.filter(({ path }) => path !== '*' && !has(path))).toEqual([]);
    expect(new Set(rules.map(({ path }) => path)).size).toBe(rules.length);
    expect(rules.flatMap(({ teams }) => teams).filter((team) => !/^@plumbline\/[a-z]+$/.test(team))).toEqual([]);
    expect(rules.filter(({ teams }) => teams.length === 0)).toEqual([]);
  });

  it('has a default, every neighbourhood and every app', async () => {
    const paths = rules.map(({ path }) => path);
    expect(paths[0]).toBe('*');
    const folders = async (parent: string): Promise<string[]> =>
      (await readdir(join(ROOT, parent), { withFileTypes: true }))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `/${parent}/${name}/`);
    const owned = [...(await folders('apps/server/src')), ...(await folders('apps'))];
    expect(paths).toEqual(expect.arrayContaining(owned.filter((path) => path !== '/apps/server/')));
  });
});

describe('issue forms', () => {
  it('exist for bugs, features and questions, and blank issues are disabled', async () => {
    expect((await readdir(join(ROOT, FORMS))).sort()).toEqual(['bug.yml', 'config.yml', 'feature.yml', 'question.yml']);
    expect(parse(await textOf(`${FORMS}/config.yml`))).toEqual({ blank_issues_enabled: false });
  });

  it.each(['bug.yml', 'feature.yml', 'question.yml'])('%s follows the schema of GitHub', async (file) => {
    const form = parse(await textOf(`${FORMS}/${file}`)) as Form;
    expect(Object.keys(form).sort()).toEqual(['body', 'description', 'labels', 'name', 'title']);
    for (const part of form.body) {
      if (part.type === 'markdown') {
        expect(part.attributes.value).toBeTruthy();
        continue;
      }
      expect(QUESTIONS).toContain(part.type);
      expect([part.id, part.attributes.label]).toEqual([expect.stringMatching(/^[a-z_-]+$/), expect.any(String)]);
      const chooses = part.type === 'dropdown' || part.type === 'checkboxes';
      expect(Array.isArray(part.attributes.options)).toBe(chooses);
    }
    const ids = form.body.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('SECURITY.md', () => {
  it('states that the current minor version is supported', async () => {
    const minor = productVersion().replace(/\d+$/, 'x');
    expect(await textOf('SECURITY.md')).toContain(`| newest minor version (${minor}) | yes |`);
  });

  it('contains no mail address', async () => {
    expect(await textOf('SECURITY.md')).not.toMatch(/\S@\S|mailto:/);
  });
});
