import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The command line built by `npm test`. */
const MAIN = join(import.meta.dirname, '../../dist/apps/cli/src/main.js');

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function plumbline(args: string[], stdin = ''): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args]);
    const written = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...written }));
    // A command without input may exit before it reads any.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}

const STEP = 300;
const ROWS = 4032;
const DAY = 86_400;
const FROM = Date.parse('2025-09-01T00:00:00Z') / 1000;
const OUTAGE = { first: 3400, end: 3460 };

/** Two weeks of a daily pattern with noise and one outage, always the same text. */
function outageCsv(): string {
  let seed = 20_251_009;
  const noise = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32 - 0.5;
  };
  const lines = Array.from({ length: ROWS }, (_, row) => {
    const time = FROM + row * STEP;
    const usual = 400 + 150 * Math.sin((2 * Math.PI * time) / DAY) + 20 * noise();
    const isOut = row >= OUTAGE.first && row < OUTAGE.end;
    return `${new Date(time * 1000).toISOString()},${(isOut ? 3 + noise() : usual).toFixed(3)}`;
  });
  return `timestamp,value\n${lines.join('\n')}\n`;
}

describe('the built command plumbline detect', () => {
  let folder: string;
  let csv: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-detect-'));
    csv = join(folder, 'requests.csv');
    await writeFile(csv, outageCsv());
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('finds an outage, prints it, and writes scores and a picture', async () => {
    const [png, scores] = [join(folder, 'out.png'), join(folder, 'scores.csv')];
    const result = await plumbline(['detect', csv, '--plot', png, '--scores', scores]);
    expect(result).toMatchObject({ code: 0 });
    expect(result.stdout).toContain(new Date((FROM + OUTAGE.first * STEP) * 1000).toISOString().slice(0, 10));
    expect(result.stdout).toMatch(/\d+ anomal(y|ies) \(.*\) in 4,032 rows over 14 days,/);

    const lines = (await readFile(scores, 'utf8')).trimEnd().split('\n');
    expect(lines[0]).toBe('timestamp,value,yhat,yhat_lower,yhat_upper,novelty,spike,score,anomalous,kind');
    expect(lines).toHaveLength(ROWS + 1);
    const during = lines.slice(1 + OUTAGE.first, 1 + OUTAGE.end);
    expect(during.filter((line) => /,1,[a-z_]+$/.test(line)).length).toBeGreaterThan(during.length / 2);
    expect(during[0]).toMatch(/^2025-09-12T\d\d:\d\d:00\.000Z,/);
    expect((await stat(png)).size).toBeGreaterThan(10_000);
  });

  it('prints the same anomalies as JSON from a file and from standard input', async () => {
    const [first, second] = await Promise.all([
      plumbline(['detect', csv, '--json']),
      plumbline(['detect', '-', '--json'], outageCsv()),
    ]);
    const { anomalies } = JSON.parse(first.stdout);
    expect(anomalies.length).toBeGreaterThan(0);
    expect(JSON.parse(second.stdout).anomalies).toEqual(anomalies);
  });

  it('computes the same score for a row regardless of later rows', async () => {
    const half = outageCsv().split('\n').slice(0, 3431).join('\n');
    const [whole, part] = [join(folder, 'whole.csv'), join(folder, 'part.csv')];
    await Promise.all([
      plumbline(['detect', csv, '--scores', whole]),
      plumbline(['detect', '-', '--scores', part], half),
    ]);
    const partText = await readFile(part, 'utf8');
    expect(partText.split('\n')).toHaveLength(3432);
    expect((await readFile(whole, 'utf8')).startsWith(partText)).toBe(true);
  });

  it('exits with 2 and names the line of invalid input', async () => {
    const result = await plumbline(['detect', '-'], '60,1\n120,2\nnever,3\n');
    expect(result.code).toBe(2);
    expect(result.stdout).toBe('');
    expect(result.stderr).toMatch(/^plumbline: standard input, line 3: timestamp "never" is neither/);
  });

  it('exits with 2 on wrong usage, and with 0 for --help', async () => {
    expect((await plumbline(['detect'])).code).toBe(2);
    const help = await plumbline(['detect', '--help']);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain('Examples:');
  });
});
