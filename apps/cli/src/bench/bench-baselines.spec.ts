import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { CliError } from '../cli-error.js';
import { addBaselinesCommand } from '../commands/bench.js';
import { outburstCsv as csv, time } from '../testing/outburst-csv.js';
import { recordingTerminal } from '../testing/recording-terminal.js';
import { muted } from './bench-baselines-models.js';

/** Runs the command without the CLI around it, so that its errors reach the test. */
async function run(...args: string[]): Promise<{ out: string; err: string }> {
  const { terminal, written } = recordingTerminal();
  const bench = new Command('bench').exitOverride().configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  addBaselinesCommand(bench, { program: bench, terminal });
  await bench.parseAsync(['baselines', ...args], { from: 'user' });
  return written;
}

let folder: string;
const at = (...path: string[]): string => join(folder, ...path);

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), content);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-baselines-'));
  const window = [`${time(780)}.000000`, `${time(839)}.000000`];
  await put('nab/data/real/burst.csv', csv(false));
  await put('nab/data/real/quiet.csv', csv(false).replaceAll(',5000', ',105'));
  await put(
    'nab/labels/combined_windows.json',
    JSON.stringify({ 'real/burst.csv': [window], 'real/quiet.csv': [], 'real/gone.csv': [] }),
  );
  await put('marked/a.csv', csv(true));
  await put('marked/bare.csv', csv(false));
  await put('alone/a.csv', csv(true));
  await put('bare/bare.csv', csv(false));
  await mkdir(at('empty'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Json {
  mute: number;
  data_sets: {
    data_set: string;
    kind: string;
    files: number;
    files_without_labels: number;
    rows: number;
    columns: {
      column: string;
      threshold: number;
      points_per_second: number;
      profiles: { profile: string; swept: { score: number; windows_found: number; false_alarm_rows: number } }[];
      at_threshold: { f1: number };
      swept: { f1: number };
      auc_pr: number;
      vus_pr: number;
    }[];
  }[];
}

async function json(...args: string[]): Promise<Json> {
  return JSON.parse((await run(...args, '--json')).out);
}

describe('plumbline bench baselines', () => {
  it('prints a table per folder with a line per column of every model', async () => {
    const { out, err } = await run(at('nab'), at('marked'));
    const ownColumns = ['novelty', 'spike', 'score', 'alarm'].map((name) => `plumbline ${name}`);
    for (const column of [...ownColumns, 'ewma', 'matrix_profile']) {
      expect(out.match(new RegExp(`│ ${column} +│`, 'g'))).toHaveLength(2);
    }
    expect(out).toMatch(/│ nab +│ own threshold │ standard there │ standard swept │/);
    expect(out).toMatch(/│ marked +│ own threshold │ F1 there │/);
    expect(out).toContain('1 file has no labels: left out');
    expect(err).toContain('1 labelled file of');
  });

  it('scores an outburst by the rules of the NAB and labelled benchmarks', async () => {
    const { data_sets: sets, mute } = await json(at('nab'), at('marked'), '--models', 'robust_deviation,ewma');
    expect(mute).toBe(0);
    const [nab, marked] = sets;
    expect(nab).toMatchObject({ data_set: 'nab', kind: 'nab', files: 2, rows: 2000 });
    // Columns have the order of the product's list, not that of --models.
    expect(nab!.columns.map(({ column }) => column)).toEqual(['ewma', 'robust_deviation']);
    const [{ profiles }] = nab!.columns as [Json['data_sets'][0]['columns'][0]];
    expect(profiles.map(({ profile }) => profile)).toEqual(['standard', 'low FP', 'low FN']);
    // The outburst begins at row 20 of 60 in its window: at best tanh(2.5 · 40/60) / tanh(2.5) = 0.944 of a window.
    expect(profiles[0]!.swept).toMatchObject({ windows_found: 1, false_alarm_rows: 0 });
    expect(profiles[0]!.swept.score).toBeCloseTo(50 * (1 + Math.tanh(5 / 3) / Math.tanh(2.5)), 6);
    expect(marked).toMatchObject({ kind: 'labelled', files: 1, files_without_labels: 1, rows: 1000 });
    const robust = marked!.columns[1]!;
    expect(robust).toMatchObject({ column: 'robust_deviation', threshold: 0.5, at_threshold: { f1: 1 } });
    expect(robust.swept.f1).toBe(1);
    expect(robust.auc_pr).toBeCloseTo(1, 9);
    expect(robust.points_per_second).toBeGreaterThan(0);
  });

  it('returns the same figures on every run', async () => {
    const args = [at('marked'), '--models', 'isolation_forest,random_cut_forest'];
    const [first, second] = [await json(...args), await json(...args)];
    const withoutTime = ({ data_sets: sets }: Json): object[] =>
      sets.flatMap(({ columns }) => columns.map((column) => ({ ...column, seconds: 0, points_per_second: 0 })));
    expect(withoutTime(second)).toEqual(withoutTime(first));
  });

  it('mutes only the baselines after an alarm with --mute', async () => {
    const args = [at('marked'), '--models', 'plumbline,robust_deviation'];
    const [loud, quiet] = [await json(...args), await json(...args, '--mute', '100')];
    expect(quiet.mute).toBe(100);
    const column = (of: Json, name: string): object => {
      const found = of.data_sets[0]!.columns.find((one) => one.column === name)!;
      return { auc: found.auc_pr, vus: found.vus_pr };
    };
    expect(column(quiet, 'plumbline score')).toEqual(column(loud, 'plumbline score'));
    // With --mute 100 one alarm row of the twenty remains.
    expect(column(quiet, 'robust_deviation')).not.toEqual(column(loud, 'robust_deviation'));
  });

  it('writes JSON in addition to the tables', async () => {
    const { out, err } = await run(at('marked'), '--models', 'ewma', '--json', at('out.json'));
    expect(out).toMatch(/│ ewma +│/);
    expect(err).toContain(`Figures written to ${at('out.json')}`);
    expect(JSON.parse(await readFile(at('out.json'), 'utf8'))).toMatchObject({ benchmark: 'baselines' });
  });

  it('reads the column given with --value-column', async () => {
    const { data_sets: sets } = await json(at('alone'), '--models', 'ewma', '--value-column', 'load');
    expect(sets[0]!.rows).toBe(1000);
  });

  it.each([
    ['an unknown model', ['marked', '--models', 'ewma, magic'], '--models: there is no "magic"; there are plumb'],
    ['an empty model name', ['marked', '--models', ''], '--models: there is no ""'],
    ['a missing folder', ['gone'], 'gone cannot be read: there is no such file or folder'],
    ['a folder without CSV files', ['empty'], 'holds no CSV file'],
    [
      'a folder without labels',
      ['marked', 'bare'],
      'has a column of labels (label, anomaly, …), nor is it a copy of NAB',
    ],
    ['a folder as the JSON file', ['marked', '--json', 'empty'], 'the file must end in .json'],
  ])('refuses %s', async (_, args, message) => {
    const paths = args.map((arg, i) => (arg.startsWith('--') || args[i - 1] === '--models' ? arg : at(arg)));
    const error = await run(...paths).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CliError);
    expect((error as CliError).exitCode).toBe(2);
    expect((error as CliError).message).toContain(message);
  });

  it.each([
    [['--mute', '-1'], "argument '-1' is invalid. Must be a whole number from 0 to 100000."],
    [[], "missing required argument 'folders'"],
  ])('refuses the options %j', async (args, message) => {
    await expect(run(...args, ...(args.length > 0 ? [at('marked')] : []))).rejects.toThrow(message);
  });
});

describe('muted', () => {
  it('keeps the first alarm and zeroes the rows within its mute', () => {
    const scores = Float64Array.of(0.1, 0.6, 0.9, 0.2, 0.3, 0.5, 0.1, 0.7);
    expect(Array.from(muted(scores, 0.5, 2))).toEqual([0.1, 0.6, 0, 0, 0.3, 0.5, 0, 0]);
    expect(muted(scores, 0.5, 0)).toEqual(scores);
  });
});
