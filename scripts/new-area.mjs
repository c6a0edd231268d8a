/** `npm run g:area -- greeting`: writes a new area from scripts/area-template; see CONTRIBUTING.md. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEMPLATE = join(ROOT, 'scripts/area-template');
const SERVER = join(ROOT, 'apps/server/src');

const area = process.argv[2] ?? '';
if (!/^[a-z]+(-[a-z]+)*$/.test(area)) {
  console.error(
    'Usage: npm run g:area -- <name>   (a singular noun in kebab-case, such as "greeting" or "billing-plan")',
  );
  process.exit(2);
}
if (existsSync(join(SERVER, area))) {
  console.error(`apps/server/src/${area} exists already`);
  process.exit(1);
}

const stamp = String(Date.now());
const words = {
  __Area__: area.replaceAll(/(^|-)([a-z])/g, (_match, _dash, letter) => letter.toUpperCase()),
  __area__: area,
  __member__: area.replaceAll('-', '_'),
  __table__: area.replaceAll('-', '_'),
  __stamp__: stamp,
};
const filled = (text) => Object.entries(words).reduce((all, [mark, word]) => all.replaceAll(mark, word), text);

async function write(path, text) {
  await mkdir(dirname(path), { recursive: true });
  const options = await resolveConfig(path);
  await writeFile(path, await format(text, { ...options, filepath: path }));
  console.log(`  ${path.slice(ROOT.length)}`);
}

/** Adds a line after the last line that matches, and nothing else. */
async function insertAfterLast(path, pattern, line) {
  const lines = (await readFile(path, 'utf8')).split('\n');
  const last = lines.findLastIndex((text) => pattern.test(text));
  if (last < 0) throw new Error(`${path} has no line that looks like ${String(pattern)}`);
  lines.splice(last + 1, 0, line);
  await write(path, lines.join('\n'));
}

for (const name of await readdir(TEMPLATE, { recursive: true })) {
  if (!name.endsWith('.txt')) continue;
  const text = filled(await readFile(join(TEMPLATE, name), 'utf8'));
  const target =
    name === 'migration.ts.txt'
      ? join(ROOT, 'apps/server/migrations', `${stamp}-${area}-table.ts`)
      : join(SERVER, area, filled(name).slice(0, -'.txt'.length));
  await write(target, text);
}

const migrations = join(ROOT, 'apps/server/migrations/index.ts');
const migration = `${words.__Area__}Table${stamp}`;
await insertAfterLast(migrations, /^import /, `import { ${migration} } from './${stamp}-${area}-table.js';`);
await insertAfterLast(migrations, /^ {2}\w+\d{13},$/, `  ${migration},`);

const application = join(SERVER, 'app.module.ts');
const module = `${words.__Area__}Module`;
await insertAfterLast(
  application,
  /^import .*\.module\.js';$/,
  `import { ${module} } from './${area}/${area}.module.js';`,
);
await insertAfterLast(application, /^ {2}AccountModule,$/, `  ${module},`);

console.log(`
Next: shape the entity and the migration, say in apps/server/src/views/demo/demo.repository.ts what the nightly reset of a
demo does with the table, then
  npm run check && npm run -s jest -- apps/server/src/${area} apps/server/migrations
  npm run openapi && npm run build && npm run -s jest -- test/architecture -u   (accepts the new routes: look at the diff)`);
