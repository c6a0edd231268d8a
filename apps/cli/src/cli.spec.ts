import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from './cli.js';
import { recordingTerminal } from './testing/recording-terminal.js';

async function run(args: string[], stdin = ''): Promise<{ code: number; out: string; err: string }> {
  const { terminal, written } = recordingTerminal(stdin);
  return { code: await runCli(args, terminal), ...written };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

const rows = (count: number): string =>
  Array.from({ length: count }, (_, i) => `${i * 60},${(i * 7919) % 13}\n`).join('');

describe('plumbline', () => {
  it.each([
    [['--help'], 0, 'out', 'Examples:'],
    [['--version'], 0, 'out', /^\d+\.\d+\.\d+\n$/],
    [['detect', '--help'], 0, 'out', 'plumbline detect requests.csv'],
    [['replay', '--help'], 0, 'out', '--speed 60'],
    [['serve', '--help'], 0, 'out', 'plumbline serve'],
    [['migrate', '--help'], 0, 'out', '--dry-run'],
    [['user', 'create', '--help'], 0, 'out', '--password-stdin'],
    [['user', 'set-password', '--help'], 0, 'out', 'plumbline user set-password ada@example.org --password-stdin'],
    [['user', 'list', '--help'], 0, 'out', 'plumbline user list --org "Example Ltd" --json'],
    [['user', 'disable', '--help'], 0, 'out', 'plumbline user disable bob@example.org'],
    [['user', 'enable', '--help'], 0, 'out', 'plumbline user enable bob@example.org'],
    [['user', 'remove', '--help'], 0, 'out', 'plumbline user remove bob@example.org --yes'],
    [['org', 'list', '--help'], 0, 'out', 'plumbline org list --json'],
    [['org', 'create', '--help'], 0, 'out', '--timezone Europe/Oslo'],
    [['org', 'delete', '--help'], 0, 'out', 'plumbline org delete 3 --yes'],
    [['key', 'rotate', '--help'], 0, 'out', 'plumbline key rotate --dry-run'],
    [['token', 'create', '--help'], 0, 'out', '--valid-days'],
    [[], 2, 'err', 'Usage: plumbline'],
    [['frobnicate'], 2, 'err', "unknown command 'frobnicate'"],
    [['detect'], 2, 'err', "missing required argument 'file'"],
    [['detect', '-', '--frobnicate'], 2, 'err', "unknown option '--frobnicate'"],
    [['detect', '-', '--timezone', 'Mars/Olympus'], 2, 'err', 'Not a time zone'],
    [['detect', '-', '--width', '12'], 2, 'err', 'whole number from 200 to 4000'],
    [['detect', '-', '--type', 'cat'], 2, 'err', 'Allowed choices are gauge, counter, rate'],
    [['detect', '-', '--plot', 'out.gif'], 2, 'err', 'must end in .png, .svg or .html'],
    [['detect', '-', '--plot', join('no', 'such', 'folder.png')], 2, 'err', 'there is no folder'],
    [['detect', join('no', 'such', 'file.csv')], 2, 'err', 'there is no such file or folder'],
    [['detect', '.'], 2, 'err', 'is a folder'],
    [['replay', '-', '--metric', 'a'], 2, 'err', 'a token is needed: --token-file, --token or PLUMBLINE_TOKEN'],
    [
      ['replay', '-', '--metric', 'a', '--token', 'x', '--token-file', 'y'],
      2,
      'err',
      'give --token or --token-file, not both',
    ],
    [
      ['replay', '-', '--metric', 'a', '--token-file', 'none'],
      2,
      'err',
      '--token-file none cannot be read: there is no',
    ],
    [['export', '--token', 'x', '--url', 'localhost:3000'], 2, 'err', 'Must be an address'],
    [['replay', '-', '--metric', 'a', '--token', 'x', '--speed', '0'], 2, 'err', 'Must be "max" or a number above 0'],
    [['replay', '-', '--metric', 'a', '--token', 'x', '--speed', '2', '--end-now'], 2, 'err', '--end-now goes with'],
    [['replay', '-', '--metric', 'a', '--token', 'x', '--url', 'ftp://x'], 2, 'err', 'Must be an address'],
    [['user', 'create'], 2, 'err', "required option '--email <address>'"],
    [['user', 'set-password'], 2, 'err', "missing required argument 'user'"],
    [['user', 'remove'], 2, 'err', "missing required argument 'user'"],
    [['org', 'delete', '--yes'], 2, 'err', "missing required argument 'organisation'"],
    [['org', 'create', ' '], 2, 'err', 'Must be 1 to 100 characters'],
    [['org', 'create', 'x'.repeat(101)], 2, 'err', 'Must be 1 to 100 characters'],
    [['org', 'create', 'Example', '--timezone', 'Mars/Olympus'], 2, 'err', 'Not a time zone'],
    [['token', 'create', '--permissions', 'read,fly'], 2, 'err', 'Must be a list of read, write, alert, ingest, admin'],
    [['token', 'create', '--permissions', 'read', '--valid-days', '0'], 2, 'err', 'whole number from 1'],
  ] as const)('%j exits with code %i', async (args, code, stream, text) => {
    const result = await run([...args]);
    expect(result.code).toBe(code);
    expect(result[stream]).toMatch(
      typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text,
    );
  });
});

describe('plumbline detect', () => {
  it('reads standard input and prints a summary', async () => {
    const { code, out } = await run(['detect', '-'], `timestamp,value\n${rows(200)}`);
    expect(code).toBe(0);
    expect(out).toContain('in 200 rows over 3 hours 19 minutes, 1970-01-01 00:00:00 – 1970-01-01 03:19:00 (UTC)');
  });

  it('exits with code 2 on bad input, and names the line and the rule', async () => {
    const file = join(folder, 'bad.csv');
    await writeFile(file, 'timestamp,value\n60,1\n120,x\n');
    const { code, err, out } = await run(['detect', file]);
    expect(code).toBe(2);
    expect(err).toBe(`plumbline: ${file}, line 3: value "x" is not a number\n`);
    expect(out).toBe('');
  });

  it('writes scores and picture to files, and only JSON to standard output', async () => {
    const [scores, png] = [join(folder, 'scores.csv'), join(folder, 'out.png')];
    const result = await run(['detect', '-', '--json', '--scores', scores, '--plot', png], rows(150));
    expect(result.code).toBe(0);
    expect(JSON.parse(result.out)).toMatchObject({ source: 'standard input', rows: 150 });
    expect(result.err).toContain(`Scores written to ${scores}\nPicture written to ${png}\n`);
    expect((await readFile(scores, 'utf8')).split('\n')).toHaveLength(152);
    expect((await readFile(png)).toString('latin1', 1, 4)).toBe('PNG');
  });

  it.each(['svg', 'html'])('draws %s', async (format) => {
    const file = join(folder, `out.${format}`);
    expect((await run(['detect', '-', '--plot', file, '--theme', 'dark'], rows(150))).code).toBe(0);
    expect(await readFile(file, 'utf8')).toContain('<svg ');
  });

  it('exits with code 1 when a result cannot be written', async () => {
    const { code, err } = await run(['detect', '-', '--scores', folder], rows(150));
    expect(code).toBe(1);
    expect(err).toContain(`${folder} cannot be written`);
  });

  it('exits with code 2 when the rows are too few to judge one, and writes nothing', async () => {
    const file = join(folder, 'few.png');
    const { code, err, out } = await run(['detect', '-', '--plot', file], rows(40));
    expect({ code, out, isDrawn: existsSync(file) }).toEqual({ code: 2, out: '', isDrawn: false });
    expect(err).toMatch(/^plumbline: standard input, line 40: the file ends after 40 rows .* at least 101 are needed/);
  });
});
