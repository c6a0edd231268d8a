/**
 * `npm run g:area -- views/greeting`: writes a new area from scripts/area-template, and its line into every list that a
 * test checks; see CONTRIBUTING.md. Several names write several areas. Builds, and writes all generated files again.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEMPLATE = join(ROOT, 'scripts/area-template');
const SERVER = join(ROOT, 'apps/server/src');
const MIGRATIONS = join(ROOT, 'apps/server/migrations');
const CONTRACT = join(ROOT, 'test/architecture/contract-routes.json');
const DEFAULT_NEIGHBOURHOOD = 'views';

const rules = await readFile(join(ROOT, '.dependency-cruiser.cjs'), 'utf8');
const NEIGHBOURHOODS = [.../NEIGHBOURHOODS = \[([^\]]*)\]/.exec(rules)[1].matchAll(/'([a-z]+)'/g)]
  .map(([, name]) => name)
  .filter((name) => name !== 'common');

/** `billing-plan` → `BillingPlan` */
const pascal = (name) => name.replaceAll(/(^|-)([a-z])/g, (_match, _dash, letter) => letter.toUpperCase());
const lowerFirst = (text) => text.charAt(0).toLowerCase() + text.slice(1);
const upperFirst = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function pluralOf(name) {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}

/** Names and paths of the new area, from `greeting` or `views/greeting`. */
async function planOf(argument, stamp) {
  const [, neighbourhood = DEFAULT_NEIGHBOURHOOD, area] =
    /^(?:([a-z]+)\/)?([a-z]+(?:-[a-z]+)*)$/.exec(argument) ??
    fail(`"${argument}" must be a singular noun in kebab-case, such as "greeting" or "views/greeting".`, 2);
  if (!NEIGHBOURHOODS.includes(neighbourhood)) {
    fail(`"${neighbourhood}" is not a neighbourhood; the neighbourhoods are ${NEIGHBOURHOODS.join(', ')}.`, 2);
  }
  for (const other of NEIGHBOURHOODS) {
    if (existsSync(join(SERVER, other, area))) fail(`apps/server/src/${other}/${area} already exists.`);
  }
  if (!argument.includes('/')) console.log(`No neighbourhood is given: ${area} goes to ${neighbourhood}.`);

  const areas = pluralOf(area);
  const member = area.replaceAll('-', '_');
  const routes = [
    { mark: '__may_list__', method: 'GET', path: `/${areas}`, permission: 'read', sideEffect: '-', demo: 'y' },
    {
      mark: '__may_get__',
      method: 'GET',
      path: `/${area}/{${member}_id}`,
      permission: 'read',
      sideEffect: '-',
      demo: 'y',
    },
    { mark: '__may_create__', method: 'POST', path: `/${area}`, permission: 'write', sideEffect: 'w', demo: 'n' },
    {
      mark: '__may_delete__',
      method: 'DELETE',
      path: `/${area}/{${member}_id}`,
      permission: 'write',
      sideEffect: 'w',
      demo: 'n',
    },
  ];
  await checkTable(member);
  await checkRoutes(routes);
  return {
    area,
    neighbourhood,
    member,
    routes,
    migration: { file: `${stamp}-${area}-table`, name: `${pascal(area)}Table${stamp}` },
    module: `${pascal(area)}Module`,
    words: {
      __Area__: pascal(area),
      __Areas__: pascal(areas),
      __area__: area,
      __areas__: areas,
      __member__: member,
      __members__: areas.replaceAll('-', '_'),
      __things__: lowerFirst(pascal(areas)),
      __table__: member,
      __words__: area.replaceAll('-', ' '),
      __words_plural__: areas.replaceAll('-', ' '),
      __Words_plural__: upperFirst(areas.replaceAll('-', ' ')),
      __stamp__: stamp,
      ...Object.fromEntries(routes.map(({ mark, permission }) => [mark, upperFirst(permission)])),
    },
  };
}

async function checkTable(table) {
  for (const file of await readdir(SERVER, { recursive: true })) {
    if (!file.endsWith('.entity.ts')) continue;
    const text = await readFile(join(SERVER, file), 'utf8');
    if (text.includes(`@Entity('${table}'`)) fail(`apps/server/src/${file} has the table ${table} already.`);
  }
}

/** Refuses routes that the contract already has, because their skeleton would have to be removed by hand. */
async function checkRoutes(routes) {
  const { api, added } = JSON.parse(await readFile(CONTRACT, 'utf8'));
  const shape = ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
  const known = new Set([...api, ...added].map(shape));
  const taken = routes.filter((route) => known.has(shape(route))).map(({ method, path }) => `${method} ${path}`);
  if (taken.length > 0) fail(`The contract describes ${taken.join(', ')} already; choose another name for the area.`);
}

/**
 * The template without its markers. A line that ends with `//: in platform` or `//: above platform` is written only
 * there.
 */
function filled(text, { words, neighbourhood }) {
  const other = neighbourhood === 'platform' ? '//: above platform' : '//: in platform';
  const lines = text
    .split('\n')
    .filter((line) => !line.endsWith(other))
    .map((line) => line.replace(/ *\/\/: (in|above) platform$/, ''));
  return Object.entries(words)
    .reduce((all, [mark, word]) => all.replaceAll(mark, word), lines.join('\n'))
    .replaceAll(`'../../${neighbourhood}/`, `'../`);
}

const reported = new Set();

async function write(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  if (reported.has(path)) return;
  reported.add(path);
  console.log(`  ${path.slice(ROOT.length)}`);
}

async function writeFormatted(path, text) {
  const options = await resolveConfig(path);
  await write(path, await format(text, { ...options, filepath: path }));
}

/** Changes a file of the repository. Fails if the place is not found, so that no list is skipped silently. */
async function change(path, changed) {
  const before = await readFile(path, 'utf8');
  const after = changed(before);
  if (after === undefined || after === before) {
    throw new Error(
      `${path.slice(ROOT.length)} does not look as expected: the line for the new area has no place there`,
    );
  }
  await (/\.(md|snap|txt)$/.test(path) ? write(path, after) : writeFormatted(path, after));
}

/** Text with a line added after the last line that matches. */
function withLineAfterLast(text, pattern, line) {
  const lines = text.split('\n');
  const last = lines.findLastIndex((each) => pattern.test(each));
  return last < 0 ? undefined : lines.toSpliced(last + 1, 0, line).join('\n');
}

/** Text with a line added in its place among matching lines, which are in alphabetical order. */
function withLineSortedIn(text, pattern, line, key = (each) => each) {
  const lines = text.split('\n');
  const next = lines.findIndex((each) => pattern.test(each) && key(each) > key(line));
  return next < 0 ? withLineAfterLast(text, pattern, line) : lines.toSpliced(next, 0, line).join('\n');
}

async function writeSource(plan) {
  for (const name of await readdir(TEMPLATE, { recursive: true })) {
    if (!name.endsWith('.txt')) continue;
    const text = filled(await readFile(join(TEMPLATE, name), 'utf8'), plan);
    const target =
      name === 'migration.ts.txt'
        ? join(MIGRATIONS, `${plan.migration.file}.ts`)
        : join(SERVER, plan.neighbourhood, plan.area, filled(name, plan).slice(0, -'.txt'.length));
    await writeFormatted(target, text);
  }
}

async function registerMigration({ migration: { file, name } }) {
  await change(join(MIGRATIONS, 'index.ts'), (text) => {
    const imported = withLineAfterLast(text, /^import .*'\.\/\d/, `import { ${name} } from './${file}.js';`);
    return withLineAfterLast(imported, /^ {2}\w+\d{13},$/, `  ${name},`);
  });
}

async function registerModule({ area, neighbourhood, module }) {
  await change(join(SERVER, 'app.module.ts'), (text) => {
    const line = `import { ${module} } from './${neighbourhood}/${area}/${area}.module.js';`;
    const imported = withLineSortedIn(text, /^import .*'\.\/.*\.module\.js';$/, line, (each) => each.split("'")[1]);
    const list = /(?<=const API_AREAS\b[^=]*= \[\n)[^\]]*(?=\n\];)/.exec(imported)?.[0];
    if (list === undefined) return undefined;
    // Calls that are not implemented stay at the end of this list.
    const longer = withLineSortedIn(list, /^ {2}(?!NotImplemented)\w+Module,$/, `  ${module},`);
    return imported.replace(list, longer);
  });
}

async function addRoutesToContract({ routes }) {
  const { added, ...rest } = JSON.parse(await readFile(CONTRACT, 'utf8'));
  const rows = routes.map(({ method, path, permission, sideEffect, demo }) => {
    return { method, path, permission, sideEffect, demo };
  });
  const lists = Object.entries({ api: rest.api, added: [...added, ...rows], ...rest }).map(
    ([name, list]) => `"${name}": [${list.map((row) => spaced(row)).join(',\n')}]`,
  );
  await change(CONTRACT, () => `{\n${lists.join(',\n')}\n}`);
}

const spaced = (row) => (typeof row === 'string' ? JSON.stringify(row) : `{ ${JSON.stringify(row).slice(1, -1)} }`);

async function addRoutesToCensus({ routes }) {
  const lines = routes.flatMap(({ method, path, permission, sideEffect }) => {
    const served = `/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}: ${permission}, ${sideEffect === '-' ? 'fetches' : 'changes'}`;
    return method === 'GET' ? [`GET ${served}`, `POST ${served}`] : [`${method} ${served}`];
  });
  await change(join(ROOT, 'test/architecture/__snapshots__/route-census.spec.ts.snap'), (text) => {
    const present = [...text.matchAll(/^ {2}"(.*)",$/gm)].map(([, line]) => line);
    const all = [...present, ...lines].sort().map((line) => `  "${line}",\n`);
    return text.replace(/(?:^ {2}".*",\n)+/m, () => all.join(''));
  });
}

/** The test calls every route as another organisation, with the id of a row that it must not see. */
async function addReferenceToTenancyWalk({ area, member }) {
  await change(join(ROOT, 'test/walls/tenancy.db-spec.ts'), (text) => {
    const known = withLineAfterLast(text, /^ {2}\w+_id: 'not_found',$/, `  ${member}_id: 'not_found',`);
    const made = `      ${member}_id: [await create('/api/${area}', '${member}', { name: 'private' })],`;
    return withLineAfterLast(known, /^ {6}\w+_id: \[.*\],$/, made)?.replace(
      new RegExp(`^ {2}${member}_id: 'no rows.*\n`, 'm'),
      '',
    );
  });
}

/** The nightly reset of a demo organisation deletes the rows that people have created. */
async function clearTableInDemo({ words: { __table__: table } }) {
  await change(join(SERVER, 'views/demo/demo.repository.ts'), (text) =>
    text.replace(/(CLEARED_TABLES = \[[^\]]*?'),?\s*\]/, `$1, '${table}']`),
  );
}

async function addEventTypes({ member }) {
  const types = [`${member}_created`, `${member}_deleted`];
  await change(join(ROOT, 'libs/contracts/src/vocabulary.ts'), (text) =>
    text.replace(/(EVENT_TYPES = \[[^\]]*?)(?= {2}'custom',\n)/, (list) => {
      const fresh = types.filter((type) => !list.includes(`'${type}'`));
      return list + fresh.map((type) => `  '${type}',\n`).join('');
    }),
  );
}

/** The API description describes every tag. */
async function addTag({ area, words: { __words_plural__: plural } }) {
  const tags = join(SERVER, 'views/doc/tags.ts');
  const text = await readFile(tags, 'utf8');
  if (text.includes(`{ name: '${area}',`)) return;
  const description = `The ${plural} of the organisation.`;
  await change(tags, () =>
    withLineAfterLast(text, /^ {2}\{ name: '(?!misc|doc)/, `  { name: '${area}', description: '${description}' },`),
  );
}

/** Lists the area among those without a page in the console. */
async function listWithoutPage({ routes, words: { __words_plural__: plural } }) {
  const operations = routes.map(({ method, path }) => `\`${method} /api${path}\``).join(', ');
  const title = plural[0].toUpperCase() + plural.slice(1);
  await change(join(ROOT, 'docs/console.md'), (text) =>
    withLineAfterLast(text, /^\| .* \|$/, `| ${title} | ${operations} | later: a page |`),
  );
}

function run(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) fail(`${[command, ...args].join(' ')} ended with ${String(status)}\n${stdout}${stderr}`);
}

const names = process.argv.slice(2);
if (names.length === 0) {
  fail(`Usage: npm run g:area -- [neighbourhood/]name…   (neighbourhoods: ${NEIGHBOURHOODS.join(', ')})`, 2);
}
const now = Date.now();
for (const [index, name] of names.entries()) {
  const plan = await planOf(name, String(now + index));
  await writeSource(plan);
  await registerMigration(plan);
  await registerModule(plan);
  await addRoutesToContract(plan);
  await addRoutesToCensus(plan);
  await addReferenceToTenancyWalk(plan);
  await clearTableInDemo(plan);
  await addEventTypes(plan);
  await addTag(plan);
  await listWithoutPage(plan);
}
// The first command also builds.
run('npm', 'run', '--silent', 'openapi');
run('npm', 'run', '--silent', 'client');
run('npm', 'run', '--silent', 'area-map');
run('npm', 'run', '--silent', 'user-texts');
console.log(
  '  apps/server/openapi.json\n  libs/client/src/schema.ts\n  docs/architecture.md\n  test/architecture/user-texts/\n`npm test` passes without further changes. Now edit the entity and the migration: CONTRIBUTING.md, "Adding an area".',
);
