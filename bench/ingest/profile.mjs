/** Summarises a `.cpuprofile` of V8 as text. Also a separate program: `node bench/ingest/profile.mjs FOLDER`. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { table } from './report.mjs';

const ROOT = pathToFileURL(join(import.meta.dirname, '../..')).href;
const MAX_FUNCTIONS = 30;
const MAX_FILES = 20;
/** Names of the idle time of a thread in V8. */
const IDLE = new Set(['(idle)', '(root)']);

/** Label of a file: the path for files of the product, the name for packages. */
function placeOf(url) {
  if (url === '') return '(engine)';
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  if (inPackage) return `npm ${inPackage[1]}`;
  return url.replace(`${ROOT}/`, '').replace(/^dist\//, '');
}

/** Self time of a profile in seconds, by function and by file. */
function selfTimes({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const sums = { functions: new Map(), files: new Map(), busy: 0, idle: 0 };
  samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = byId.get(id).callFrame;
    const seconds = Math.max(0, timeDeltas[index]) / 1e6;
    if (IDLE.has(functionName)) {
      sums.idle += seconds;
      return;
    }
    sums.busy += seconds;
    const place = placeOf(url);
    const name = `${functionName || '(anonymous)'}  ${place}${url === '' ? '' : `:${lineNumber + 1}`}`;
    sums.functions.set(name, (sums.functions.get(name) ?? 0) + seconds);
    const file = url === '' ? functionName : place;
    sums.files.set(file, (sums.files.get(file) ?? 0) + seconds);
  });
  return sums;
}

function largest(sums, busy, count, heading) {
  const rows = [...sums].sort(([, one], [, other]) => other - one).slice(0, count);
  return table(
    [heading, 'seconds', '%'],
    rows.map(([name, seconds]) => [`  ${name}`, seconds.toFixed(2), ((100 * seconds) / busy).toFixed(1)]),
  );
}

/** All profiles of a folder, the busiest thread first. */
export async function profileReport(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
  const threads = [];
  for (const name of names)
    threads.push({ name, ...selfTimes(JSON.parse(await readFile(join(folder, name), 'utf8'))) });
  return threads
    .sort((one, other) => other.busy - one.busy)
    .map(({ name, functions, files, busy, idle }) =>
      [
        `Thread ${name}: busy ${busy.toFixed(1)} s, idle ${idle.toFixed(1)} s`,
        largest(files, busy, MAX_FILES, 'self time by file or package'),
        largest(functions, busy, MAX_FUNCTIONS, 'self time by function'),
      ].join('\n\n'),
    )
    .join('\n\n');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(await profileReport(process.argv[2] ?? '.'));
}
