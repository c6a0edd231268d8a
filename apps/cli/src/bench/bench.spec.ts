import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCli } from '../cli.js';
import { outburstCsv as csv, time } from '../testing/outburst-csv.js';
import { recordingTerminal } from '../testing/recording-terminal.js';

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { terminal, written } = recordingTerminal();
  return { code: await runCli(['bench', ...args], terminal), ...written };
}

let folder: string;

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

const at = (...path: string[]): string => join(folder, ...path);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'));
  const window = [`${time(780)}.000000`, `${time(839)}.000000`];
  await put('nab/data/real/burst.csv', csv(false));
  await put('nab/data/real/quiet.csv', csv(false).replaceAll(',5000', ',105'));
  await put('nab/labels/combined_windows.json', JSON.stringify({ 'real/burst.csv': [window], 'real/quiet.csv': [] }));
  await put('hours/deep/inside.csv', csv(true, { interval: 3600 }));
  await put('hours/bare.csv', csv(false, { interval: 3600 }));
  await put('minutes/a.csv', csv(true, { interval: 60 }));
  await put('bare/bare.csv', csv(false, { interval: 60 }));
  await mkdir(at('empty'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('plumbline bench nab', () => {
  it('prints the profiles, the data sets and the cost', async () => {
    const { code, out } = await run('nab', at('nab'));
    expect(code).toBe(0);
    for (const column of ['novelty', 'spike', 'score']) {
      for (const profile of ['standard', 'low FP', 'low FN']) {
        expect(out).toMatch(new RegExp(`│ ${column} +│ ${profile} +│ +-?\\d`));
      }
      expect(out).toMatch(new RegExp(`│ real +│ ${column} +│ +2 │ +2,000 │`));
    }
    expect(out).toMatch(/│ real +│ score +│ +2 │ +2,000 │ +1\/1 │/);
    expect(out).toMatch(/│ all +│ +2 │ +1,\d{3} │ +\d+\.\d\d % │/);
    expect(out).toMatch(/2 files, 2,000 rows; the detector took \d+\.\d\d s/);
    expect(out).not.toContain('burst.csv');
  });

  it('prints a line per file with --files', async () => {
    const { out } = await run('nab', at('nab'), '--files');
    expect(out).toMatch(/│ real\/burst.csv +│ score +│ +1 │ +1,000 │ +1\/1 │/);
    expect(out).toMatch(/│ real\/quiet.csv +│ novelty +│ +1 │ +1,000 │ +0\/0 │/);
  });

  it('prints the figures as JSON, identical on every run', async () => {
    const [first, second] = [
      JSON.parse((await run('nab', at('nab'), '--json')).out),
      JSON.parse((await run('nab', at('nab'), '--json')).out),
    ];
    expect(first).toMatchObject({ benchmark: 'nab', files: 2, rows: 2000, windows: 1, cut: 0, average: 1 });
    expect(first.columns.map(({ column }: { column: string }) => column)).toEqual(['novelty', 'spike', 'score']);
    const { profiles, by_file } = first.columns[2];
    expect(profiles.map(({ profile }: { profile: string }) => profile)).toEqual(['standard', 'low FP', 'low FN']);
    expect(by_file.map(({ file }: { file: string }) => file)).toEqual(['real/burst.csv', 'real/quiet.csv']);
    // The outburst begins at row 20 of 60 in its window: at best tanh(2.5 · 40/60) / tanh(2.5) = 0.944 of a window.
    const [{ at_threshold, swept, threshold_loss }] = profiles;
    expect(threshold_loss).toBeCloseTo(swept.score - at_threshold.score, 10);
    // Judged rows: all but the first 150 of both files, without the 60 rows of the window.
    expect(first.expected_range.normal_rows).toBeLessThanOrEqual(2 * 850 - 60);
    expect(first.expected_range.inside).toBeGreaterThan(0.9);
    expect(swept).toMatchObject({ windows_found: 1, false_alarm_rows: 0 });
    expect(swept.score).toBeCloseTo(50 * (1 + Math.tanh(5 / 3) / Math.tanh(2.5)), 6);
    const withoutTime = (json: object): object => ({ ...json, seconds: 0, points_per_second: 0 });
    expect(withoutTime(second)).toEqual(withoutTime(first));
  });

  it('cuts and averages the files with --cut and --average', async () => {
    const { out } = await run('nab', at('nab'), '--cut', '0.1', '--average', '2', '--json');
    expect(JSON.parse(out)).toMatchObject({ rows: 900, windows: 1, cut: 0.1, average: 2 });
  });

  it('warns about labelled files that are missing', async () => {
    await put('part/data/real/quiet.csv', csv(false));
    await put('part/labels/combined_windows.json', '{"real/quiet.csv": [], "real/gone.csv": []}');
    const { code, err } = await run('nab', at('part'));
    expect(code).toBe(0);
    expect(err).toContain('1 labelled file is not there (real/gone.csv)');
  });

  it.each([
    ['a folder without labels', 'hours', {}, 'combined_windows.json cannot be read: there is no such file'],
    ['labels that are not JSON', 'x1', { labels: '{' }, 'cannot be read: it is not JSON'],
    ['labels that are a list', 'x2', { labels: '[]' }, 'expected an object'],
    [
      'windows that are not pairs',
      'x3',
      { labels: '{"a.csv": [["2025-10-06"]]}' },
      'is not a list of [start, end] times',
    ],
    ['windows that are not times', 'x4', { labels: '{"a.csv": [["noon", "night"]]}' }, '"a.csv": timestamp "noon"'],
    ['no data', 'x5', { labels: '{}' }, 'data cannot be read: there is no such file'],
    ['a file without labels', 'x6', { labels: '{}', data: 'timestamp,value\n60,1\n' }, 'has no entry for a.csv'],
    [
      'a window outside of its file',
      'x7',
      { labels: '{"a.csv": [["2025-10-06", "2025-10-07"]]}', data: 'timestamp,value\n60,1\n' },
      'window 1 of its labels holds no row',
    ],
    ['bad rows', 'x8', { labels: '{"a.csv": []}', data: 'timestamp,value\n60,1\n120,x\n' }, 'line 3: value "x"'],
  ])('exits with code 2 on %s', async (_, name, content: { labels?: string; data?: string }, message) => {
    if (content.labels !== undefined) await put(`${name}/labels/combined_windows.json`, content.labels);
    if (content.data !== undefined) await put(`${name}/data/a.csv`, content.data);
    const { code, err, out } = await run('nab', at(name));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe('plumbline bench labelled', () => {
  it('prints a line per data set and the number of files left out', async () => {
    const { code, out } = await run('labelled', at('hours'), at('minutes'));
    expect(code).toBe(0);
    for (const column of ['novelty', 'spike', 'score', 'alarm']) {
      expect(out).toMatch(new RegExp(`│ hours +│ ${column} +│ +1 │ +850 │`));
      expect(out).toMatch(new RegExp(`│ minutes +│ ${column} +│ +1 │ +850 │`));
    }
    expect(out).toMatch(/│ hours +│ +1 │ +8\d\d │ +\d+\.\d\d % │/);
    expect(out).toContain('1 file has no labels: left out');
  });

  it('writes JSON with every file in addition to the tables', async () => {
    const { code, out, err } = await run('labelled', at('hours'), '--files', '--json', at('out.json'));
    expect(code).toBe(0);
    expect(out).toContain('hours/deep/inside.csv');
    expect(err).toContain(`Figures written to ${at('out.json')}`);
    const json = JSON.parse(await readFile(at('out.json'), 'utf8'));
    expect(json).toMatchObject({ benchmark: 'labelled', files: 1, rows: 1000 });
    expect(json.data_sets[0]).toMatchObject({
      data_set: 'hours',
      files_without_labels: 1,
      judged_rows: 850,
      by_file: [{ file: 'deep/inside.csv', judged_rows: 850 }],
    });
    expect(json.data_sets[0].columns[2]).toMatchObject({
      column: 'score',
      at_threshold: { threshold: 0.5, events: 1, found: 1 },
    });
    // The set has one labelled file, so the figures of file and set are equal.
    expect(json.data_sets[0].by_file[0].columns).toEqual(json.data_sets[0].columns);
    expect(json.data_sets[0].by_file[0].expected_range).toEqual(json.data_sets[0].expected_range);
  });

  it.each([
    ['a missing folder', ['gone'], 'gone cannot be read: there is no such file or folder'],
    ['a file in place of a folder', ['minutes/a.csv'], 'it is not a folder'],
    ['a folder without CSV files', ['empty'], 'holds no CSV file'],
    ['a folder without labels', ['bare'], 'has a column of labels'],
    ['a folder as the JSON file', ['minutes', '--json', 'hours'], 'the file must end in .json'],
    ['a JSON file in a missing folder', ['minutes', '--json', 'no/out.json'], 'there is no folder'],
  ])('exits with code 2 on %s', async (_, args, message) => {
    const { code, err, out } = await run('labelled', ...args.map((arg) => (arg.startsWith('--') ? arg : at(arg))));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe('plumbline bench', () => {
  it.each([
    [['--help'], 0, 'out', 'nab [options] <folder>'],
    [['nab', '--help'], 0, 'out', 'plumbline bench nab ./NAB --cut 0.08'],
    [['labelled', '--help'], 0, 'out', 'plumbline bench labelled ./kpi ./cloud'],
    [['nab'], 2, 'err', "missing required argument 'folder'"],
    [['labelled'], 2, 'err', "missing required argument 'folders'"],
    [['nab', '.', '--threshold', '2'], 2, 'err', 'Must be a number above 0, at most 1'],
    [['nab', '.', '--cut', '1'], 2, 'err', 'Must be a number from 0 to 0.9'],
    [['nab', '.', '--average', '0'], 2, 'err', 'whole number from 1 to 1000'],
  ] as const)('%j exits with code %i', async (args, code, stream, text) => {
    const result = await run(...args);
    expect(result.code).toBe(code);
    expect(result[stream]).toContain(text);
  });
});
