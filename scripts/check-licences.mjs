/**
 * `npm run audit:licences`: fails when an installed package of the product, or one that its console is built of, has a licence
 * that is not on this list.
 * All of these allow use and distribution beside Apache-2.0 code, unchanged packages of MPL-2.0 included.
 * `--list` writes name, version and licence of each, separated by tabs, in place of the count.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { productPackages } from './product-packages.mjs';

const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  // Of fonts, which may be bundled with software under any licence as long as they are not sold by themselves.
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
]);

/** Packages that do not name their licence as an SPDX expression, and what the file that comes with them says. */
const READ = new Map([
  ['busboy', 'MIT'],
  ['dejavu-fonts-ttf', 'Bitstream Vera, free to distribute: LICENSE'],
  ['passport-strategy', 'MIT'],
  ['pause', 'MIT'],
  ['streamsearch', 'MIT'],
]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false } },
});
const root = resolve(positionals[0] ?? '.');
const problems = [];
const lines = [];
let count = 0;
for (const path of productPackages(root).keys()) {
  // Platform packages of other platforms are not installed.
  const description = read(join(root, path, 'package.json'));
  if (description === undefined) continue;
  count++;
  const { name, version, license } = description;
  lines.push([name, version, READ.get(name) ?? license].join('\t'));
  if (READ.has(name) ? typeof license === 'string' && isAllowed(license) : !isAllowed(license)) {
    const advice = READ.has(name) ? 'names its licence now: take it off the list of exceptions' : 'is not allowed';
    problems.push(`${name} ${version}: ${JSON.stringify(license) ?? 'no licence'} ${advice}`);
  }
}
for (const problem of problems) (values.list ? console.error : console.log)(problem);
if (values.list) console.log(lines.join('\n'));
else console.log(`${String(count)} packages, ${String(problems.length)} with a licence that needs a look`);
process.exit(problems.length === 0 && count > 0 ? 0 : 1);

/** `A OR B` needs one of them, `A AND B` both; anything more complicated needs a look. */
function isAllowed(expression) {
  if (typeof expression !== 'string') return false;
  const plain = /^\((.*)\)$/.exec(expression)?.[1] ?? expression;
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((licence) => ALLOWED.has(licence)));
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
