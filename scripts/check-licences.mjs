/**
 * `npm run audit:licences`: fails if an installed package of the product or of its console has a licence that is not on
 * this list. All of these allow use and distribution with Apache-2.0 code, including unchanged packages under MPL-2.0.
 * `--list` prints name, version and licence of each package, separated by tabs, instead of the count.
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
  // For fonts, which may be bundled with software under any licence as long as they are not sold on their own.
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
]);

/** Packages whose licence is not an SPDX expression, with the licence according to their licence file. */
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
  // Packages for other platforms are not installed.
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

/** `A OR B` needs one of them, `A AND B` both. Anything more complicated is refused. */
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
