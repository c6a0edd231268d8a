/**
 * `npm run test:slow -- [--runs N] [options of npm test]`: runs `npm test` three times, or N times, with a busy process
 * on each core. Prints the failures of each run.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
/** Exits with its parent in any case, because its input is then closed. */
const BUSY = `
  process.stdin.on('end', () => process.exit()).resume();
  const work = () => {
    const until = Date.now() + 50;
    while (Date.now() < until);
    setImmediate(work);
  };
  work();
`;

const { runs, rest } = readArguments();
const folder = await mkdtemp(join(tmpdir(), 'plumbline-slow-'));
const load = Array.from({ length: Math.max(2, availableParallelism()) }, () =>
  spawn(process.execPath, ['-e', BUSY], { stdio: ['pipe', 'ignore', 'inherit'] }),
);
let current;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    current?.kill(signal);
    endLoad();
    process.exitCode = 130;
  });
}

const failures = [];
try {
  for (let run = 1; run <= runs && process.exitCode === undefined; run++) {
    process.stdout.write(`\n==> run ${run} of ${runs}, beside ${load.length} busy processes\n`);
    failures.push(...(await testOnce(run)));
  }
} finally {
  endLoad();
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(
  failures.length === 0
    ? `\nNothing failed in ${runs} runs\n`
    : `\nFailed:\n${failures.map((line) => `  ${line}\n`).join('')}`,
);
process.exitCode ??= failures.length === 0 ? 0 : 1;

/** Runs the tests once, and returns lines that name the failures. */
async function testOnce(run) {
  const file = join(folder, `${run}.json`);
  const args = ['test', '--silent', '--', '--json', `--outputFile=${file}`, ...rest];
  current = spawn('npm', args, { cwd: ROOT, stdio: 'inherit' });
  const code = await new Promise((resolve, reject) => current.once('exit', resolve).once('error', reject));
  const results = await readFile(file, 'utf8').then(JSON.parse, () => ({ testResults: [] }));
  const lines = results.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
      const what = failed.length > 0 ? failed : [message.split('\n')[0]];
      return what.map((text) => `run ${run}: ${relative(ROOT, name)}: ${text}`);
    });
  return lines.length === 0 && code !== 0 ? [`run ${run}: npm test ended with ${code}`] : lines;
}

function endLoad() {
  for (const busy of load) busy.kill('SIGKILL');
}

function readArguments() {
  const { values, tokens } = parseArgs({
    options: { runs: { type: 'string', default: '3' } },
    strict: false,
    tokens: true,
  });
  const count = Number(values.runs);
  if (!Number.isInteger(count) || count < 1) {
    process.stderr.write('--runs takes a number of runs\n');
    process.exit(2);
  }
  const own = tokens.find((token) => token.kind === 'option' && token.name === 'runs');
  const args = process.argv.slice(2);
  if (own) args.splice(own.index, own.inlineValue ? 1 : 2);
  return { runs: count, rest: args };
}
