import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { addAblationCommand } from '../commands/bench.js';
import { outburstCsv as csv, time } from '../testing/outburst-csv.js';
import { recordingTerminal } from '../testing/recording-terminal.js';
import { benchNab } from './bench-nab.js';

const { terminal, written } = recordingTerminal();

/** Runs the command without the CLI around it, so that its errors reach the test. */
async function run(...args: string[]): Promise<string> {
  written.out = '';
  const bench = new Command('bench').exitOverride().configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  addAblationCommand(bench, { program: bench, terminal });
  await bench.parseAsync(['ablation', ...args], { from: 'user' });
  return written.out;
}

let folder: string;
const at = (...path: string[]): string => join(folder, ...path);

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), content);
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'quiet'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-ablation-'));
  const windows = [[`${time(780)}.000000`, `${time(839)}.000000`]];
  for (const [i, name] of NAMES.entries()) {
    await put(`nab/data/real/${name}.csv`, csv(false, { outburst: name === 'quiet' ? 105 : 1000 * (i + 1) }));
  }
  const labels = NAMES.map((name) => [`real/${name}.csv`, name === 'quiet' ? [] : windows]);
  await put('nab/labels/combined_windows.json', JSON.stringify(Object.fromEntries(labels)));
  await put('marked/a.csv', csv(true));
  await put('marked/bare.csv', csv(false));
});
afterAll(() => rm(folder, { recursive: true }));

interface Line {
  name: string;
  measures: { measure: string; at_shipped_level: number; best: number; best_level_in_shipped: number }[];
}

interface Json {
  data_sets: { data_set: string; kind: string; files: number; files_without_labels: number }[];
  channels: { column: string; variants: Line[] }[];
  nab: {
    data_set: string;
    choices: { choice: string; profiles: { profile: string; mean: number; scores: number[]; chosen: object[] }[] }[];
    changed: Line[];
  }[];
}

describe('plumbline bench ablation', () => {
  it('prints a table per channel, the chosen settings and the changed files', async () => {
    const out = await run(at('nab'), at('marked'));
    for (const column of ['novelty', 'spike', 'score']) {
      expect(out).toMatch(new RegExp(`│ ${column} +│ nab standard │ +best │.*│ marked F1 │ +best │\n`));
    }
    expect(out.match(/│ as shipped +│/g)).toHaveLength(3);
    expect(out).toMatch(/│ without new_value +│/);
    expect(out).toMatch(/│ components and level +│ standard +│/);
    expect(out).toMatch(/│ first 8 % cut +│/);
    expect(out).toContain('1 file has no labels: left out');
  });

  it('prints no NAB tables when no folder is a NAB copy', async () => {
    const out = await run(at('marked'));
    expect(out).not.toContain('nab');
    expect(out).not.toContain('Chosen on other files');
  });

  it('returns JSON whose figures for the shipped channels equal those of `bench nab`', async () => {
    const json = JSON.parse(await run(at('nab'), at('marked'), '--json')) as Json;
    expect(json.data_sets).toMatchObject([
      { data_set: 'nab', kind: 'nab', files: 6 },
      { data_set: 'marked', kind: 'labelled', files: 1, files_without_labels: 1 },
    ]);
    await benchNab(at('nab'), { json: at('nab.json'), threshold: 0.5, cut: 0, average: 1 }, terminal);
    const nab = JSON.parse(await readFile(at('nab.json'), 'utf8')) as {
      columns: { column: string; profiles: { at_threshold: { score: number } }[] }[];
    };
    for (const { column, profiles } of nab.columns) {
      const [shipped] = json.channels.find((channel) => channel.column === column)!.variants;
      profiles.forEach(({ at_threshold: { score } }, profile) => {
        expect(shipped!.measures[profile]!.at_shipped_level).toBeCloseTo(score, 9);
      });
    }
    const [{ choices, changed }] = json.nab as [Json['nab'][0]];
    expect(choices.map(({ choice }) => choice)).toEqual(['level', 'components and level']);
    for (const { mean, scores } of choices.flatMap(({ profiles }) => profiles)) {
      expect(scores).toHaveLength(6);
      expect(mean).toBeCloseTo(scores.reduce((sum, score) => sum + score, 0) / 6, 9);
    }
    expect(changed[0]).toMatchObject({ name: 'as it is' });
    expect(changed[0]!.measures[0]).toMatchObject({
      at_shipped_level: json.channels[0]!.variants[0]!.measures[0]!.at_shipped_level,
    });
  });
});
