import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { WARM_UP_POINTS } from '#libs/detection';
import { runCli } from '../cli.js';
import { recordingTerminal } from '../testing/recording-terminal.js';
import { type DetectFlags, detectOptionsOf, periodOf } from './detect.js';

async function detect(args: string[], stdin = ''): Promise<{ code: number; out: string; err: string }> {
  const { terminal, written } = recordingTerminal(stdin);
  return { code: await runCli(['detect', '-', ...args], terminal), ...written };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-detect-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('plumbline detect', () => {
  it.each([
    [['--help'], 0, 'out', '--period <duration>'],
    [['--help'], 0, 'out', 'plumbline detect bytes-sent.csv --counter'],
    [['--help'], 0, 'out', 'novelty,spike,score,anomalous,kind'],
    [['--help'], 0, 'out', `The first ${WARM_UP_POINTS} rows are only learnt from.`],
    [['--period', 'daily'], 2, 'err', 'Must be auto, none or a duration such as 45m, 12h, 1d or 7d.'],
    [['--period', '0h'], 2, 'err', 'A period lasts a second at least'],
    [['--period', '2y'], 2, 'err', 'Must be auto, none or a duration'],
    [['--period', '400d'], 2, 'err', 'A period lasts 366 days at most.'],
    [['--sensitivity', '0.1'], 2, 'err', 'Must be a number from 0.2 to 5.'],
    [['--sensitivity', 'high'], 2, 'err', 'Must be a number from 0.2 to 5.'],
    [['--sensitivity', ''], 2, 'err', 'Must be a number from 0.2 to 5.'],
    [['--counter', '--type', 'gauge'], 2, 'err', "option '--counter' cannot be used with option '--type <type>'"],
  ] as const)('%j exits with code %i', async (args, code, stream, text) => {
    const result = await detect([...args]);
    expect(result.code).toBe(code);
    expect(result[stream].replace(/\s+/g, ' ')).toContain(text);
  });

  it('returns the same result for a file with the newest row first as for one in time order', async () => {
    const rows = Array.from({ length: 400 }, (_, i) => `${1_760_000_000 + i * 60},${i === 390 ? 500 : 10 + (i % 7)}\n`);
    const [forward, backward] = [await detect([], rows.join('')), await detect([], rows.toReversed().join(''))];
    expect(forward).toMatchObject({ code: 0, err: '' });
    expect(forward.out).toContain('in 400 rows over');
    expect(backward).toEqual(forward);
  });

  it('reads a German file with --time-format and --decimal', async () => {
    const rows = Array.from(
      { length: 150 },
      (_, i) => `01.02.2026 ${10 + Math.floor(i / 60)}:${String(i % 60).padStart(2, '0')};1.005,${i}`,
    );
    const args = ['--time-format', 'dd.MM.yyyy HH:mm', '--decimal', ',', '--timezone', 'Europe/Berlin'];
    const { code, out } = await detect(args, `Zeit;Wert\r\n${rows.join('\r\n')}\r\n`);
    expect(code).toBe(0);
    expect(out).toContain(
      '150 rows over 2 hours 29 minutes, 2026-02-01 10:00:00 – 2026-02-01 12:29:00 (Europe/Berlin)',
    );
  });

  it('writes every row with its original time, all scores and the kind', async () => {
    const more = Array.from({ length: 150 }, (_, i) => String(1_760_000_000 + 60 * i));
    const times = ['2025-10-09 08:00:00', '2025-10-09T08:01:00Z', '1759997000', '1759997060000', ...more];
    const file = join(folder, 'scores.csv');
    const { code } = await detect(
      ['--scores', file, '--timezone', 'Europe/Oslo', '--period', '1d', '--sensitivity', '2'],
      `timestamp,value\n${times.map((time, i) => `${time},${i}\n`).join('')}`,
    );
    expect(code).toBe(0);
    const [head, ...rows] = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(head).toBe('timestamp,value,yhat,yhat_lower,yhat_upper,novelty,spike,score,anomalous,kind');
    expect(rows.map((row) => row.split(',')[0])).toEqual(times);
    expect(rows.every((row) => row.split(',').length === 10)).toBe(true);
  });

  it('treats --counter like --type counter', async () => {
    const rows = Array.from({ length: 400 }, (_, i) => `${i * 60},${i * 600 + ((i * 7919) % 13)}\n`).join('');
    const [short, long] = [join(folder, 'short.csv'), join(folder, 'long.csv')];
    expect((await detect(['--counter', '--scores', short], rows)).code).toBe(0);
    expect((await detect(['--type', 'counter', '--scores', long], rows)).code).toBe(0);
    const text = await readFile(short, 'utf8');
    expect(text).toBe(await readFile(long, 'utf8'));
    // The expected value is about ten per second, while the counter grows to 240,000.
    const [, value, yhat] = text.trimEnd().split('\n').at(-1)!.split(',').map(Number);
    expect(value).toBeGreaterThan(200_000);
    expect(yhat).toBeGreaterThan(9);
    expect(yhat).toBeLessThan(11);
  });
});

describe('detectOptionsOf', () => {
  const flags: DetectFlags = {
    timezone: 'UTC',
    type: 'gauge',
    period: 'auto',
    sensitivity: 1,
    theme: 'light',
    width: 1200,
    height: 420,
  };

  it('sets a season only when --period gives one', () => {
    expect(detectOptionsOf(flags)).not.toHaveProperty('periodSeconds');
    expect(detectOptionsOf({ ...flags, period: 0 })).toMatchObject({ periodSeconds: 0, type: 'gauge' });
    expect(detectOptionsOf({ ...flags, period: 43_200, counter: true })).toMatchObject({
      periodSeconds: 43_200,
      type: 'counter',
    });
  });
});

describe('periodOf', () => {
  it.each([
    ['auto', 'auto'],
    ['none', 0],
    ['90s', 90],
    ['45m', 2700],
    ['12h', 43_200],
    ['1.5h', 5400],
    ['1d', 86_400],
    ['7d', 604_800],
    ['1w', 604_800],
    ['366d', 31_622_400],
  ])('reads %s as %p', (text, want) => expect(periodOf(text)).toBe(want));

  it.each(['', '1', 'd', '1y', '1 d', '-1d', '1D', '1d12h', '0d', '0.1s', '367d', '1e3s', 'daily'])(
    'refuses "%s"',
    (text) => expect(() => periodOf(text)).toThrow(InvalidArgumentError),
  );
});
