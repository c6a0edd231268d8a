import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
/** The headings of keepachangelog.com 1.1.0, in order. */
const HEADINGS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const LONGEST = 300;
/** Figures of measurements, which belong in docs/performance.md and docs/detection-details.md. */
const FIGURE =
  /\bF1\b|\b\d[\d.,]* (?:%|KB|kB|MB|ms|milliseconds)|\bnpm run bench|\btimes (?:as|faster|slower)|\bin place of \d|\bper cent\b/;

/** Problems with the form of a changelog, each with its line. */
function problemsOf(text: string): string[] {
  const problems: string[] = [];
  const releases: { version: string; date: string }[] = [];
  let headings: string[] = [];
  let bullets = 0;
  /** The heading that still needs a line below it. */
  let open: string | undefined;
  text.split('\n').forEach((line, index) => {
    const wrong = (what: string): number => problems.push(`line ${String(index + 1)}: ${what}`);
    if (line.length > LONGEST) wrong(`longer than ${String(LONGEST)} characters`);
    if (line.startsWith('#') && open !== undefined && !line.startsWith(`#${open.split(' ')[0]!}`))
      wrong(`nothing below ${open}`);
    const [marks, title = ''] = /^(#+) (.*)$/.exec(line)?.slice(1) ?? [];
    open = marks === undefined ? open : marks.length > 2 ? line : undefined;
    if (marks === '#') {
      if (index !== 0 || title !== 'Changelog') wrong('only the first line is a title, Changelog');
    } else if (marks === '##') {
      headings = [];
      const [, version, date] = /^\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$/.exec(title) ?? [];
      if (version !== undefined && date !== undefined) releases.push({ version, date });
      else if (title !== '[Unreleased]' || releases.length > 0)
        wrong('neither [Unreleased], first, nor [1.2.3] - 2026-01-31');
    } else if (marks === '###') {
      if (!HEADINGS.includes(title)) wrong(`no heading of Keep a Changelog: ${title}`);
      headings.push(title);
      const sorted = [...headings].sort((a, b) => HEADINGS.indexOf(a) - HEADINGS.indexOf(b));
      if (String(sorted) !== String(headings) || new Set(headings).size < headings.length)
        wrong(`${title} is out of order`);
    } else if (line.startsWith('- ')) {
      bullets++;
      if (open === undefined && headings.length === 0) wrong('a line below no heading');
      open = undefined;
      if (!line.endsWith('.')) wrong('no sentence');
      if (FIGURE.test(line)) wrong('a figure of a measurement');
    } else if (/^\s+\S|^[*+] /.test(line)) {
      wrong('a bullet has one line, and begins with "- "');
    }
  });
  if (open !== undefined) problems.push(`nothing below ${open}`);
  if (!/^## \[Unreleased\]$/m.test(text)) problems.push('there is no [Unreleased]');
  if (releases.length === 0 || bullets === 0) problems.push('there is no release');
  releases.slice(1).forEach(({ version, date }, index) => {
    const newer = releases[index]!;
    if (newer.version.localeCompare(version, 'en', { numeric: true }) <= 0 || newer.date < date) {
      problems.push(`${version} is not older than ${newer.version}`);
    }
  });
  return problems;
}

describe('the changelog', () => {
  it('follows Keep a Changelog', async () => {
    expect(problemsOf(await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8'))).toEqual([]);
  });

  const release = '## [1.0.0] - 2026-01-31\n\n### Added\n\n- Something.\n';

  it.each([
    [
      'a heading of another kind',
      `### Improved\n\n- It.\n\n${release}`,
      'line 5: no heading of Keep a Changelog: Improved',
    ],
    [
      'headings in another order',
      `### Fixed\n\n- It.\n\n### Added\n\n- It.\n\n${release}`,
      'line 9: Added is out of order',
    ],
    ['an empty heading', `### Fixed\n\n${release}`, 'line 7: nothing below ### Fixed'],
    ['a line below no heading', `- It.\n\n${release}`, 'line 5: a line below no heading'],
    ['a bullet of two lines', `### Fixed\n\n- It\n  does.\n\n${release}`, 'line 7: no sentence'],
    ['a long line', `### Fixed\n\n- ${'It '.repeat(100)}.\n\n${release}`, 'line 7: longer than 300 characters'],
    ['a figure', `### Changed\n\n- It takes 3 ms.\n\n${release}`, 'line 7: a figure of a measurement'],
    [
      'releases in another order',
      `${release}\n## [1.1.0] - 2026-02-01\n\n### Added\n\n- It.\n`,
      '1.1.0 is not older than 1.0.0',
    ],
    [
      'a release without a date',
      '## [1.0.0]\n\n### Added\n\n- It.\n',
      'line 5: neither [Unreleased], first, nor [1.2.3] - 2026-01-31',
    ],
  ])('is rejected with %s', (_what, rest, problem) => {
    expect(problemsOf(`# Changelog\n\n## [Unreleased]\n\n${rest}`)).toContain(problem);
  });
});
