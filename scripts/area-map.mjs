/**
 * The map of areas in docs/architecture.md. It is built from the imports of the source, and from the triggers of the
 * migrations that join areas without an import. `npm run area-map` writes it; test/architecture/area-map.spec.ts
 * compares it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SERVER = join(ROOT, 'apps/server/src');
const MIGRATIONS = join(ROOT, 'apps/server/migrations');
export const MAP_FILE = join(ROOT, 'docs/architecture.md');
/** From the lowest to the highest, without `common`, which is below all of them. */
const NEIGHBOURHOODS = ['platform', 'people', 'data', 'analysis', 'teaching', 'alerting', 'views'];
const BEGIN = '<!-- area-map: written by npm run area-map -->';
const END = '<!-- /area-map -->';

/** The area of a path below apps/server/src, such as `data/metric`; undefined outside of areas. */
function areaOf(path) {
  const [neighbourhood, area, ...rest] = relative(SERVER, path).split(sep);
  return NEIGHBOURHOODS.includes(neighbourhood) && rest.length > 0 ? `${neighbourhood}/${area}` : undefined;
}

/** Imported areas of each area: a map of names to sets of names, both sorted. */
function readAreas() {
  const uses = new Map();
  const files = readdirSync(SERVER, { recursive: true }).map((name) => join(SERVER, name));
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('spec.ts')).sort()) {
    const area = areaOf(file);
    if (area === undefined) continue;
    const used = uses.get(area) ?? new Set();
    uses.set(area, used);
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
      const target = fileName.startsWith('.') ? areaOf(resolve(dirname(file), fileName)) : undefined;
      if (target !== undefined && target !== area) used.add(target);
    }
  }
  return uses;
}

/** What an area is for, from its module, or from its README.md if it has no module. */
function purposeOf(area) {
  const name = area.split('/')[1];
  const folder = join(SERVER, area);
  const file = readdirSync(folder).find((entry) => entry === `${name}.module.ts`) ?? 'README.md';
  const text = readFileSync(join(folder, file), 'utf8');
  if (file === 'README.md') return text.split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? '';
  return purposeInModule(text, `apps/server/src/${area}/${file}`);
}

/** The first sentence of the last doc comment above `@Module`. */
export function purposeInModule(text, path) {
  const [comment] =
    text
      .slice(0, text.indexOf('@Module('))
      .match(/(?<=\/\*\*)[^]*?(?=\*\/)/g)
      ?.slice(-1) ?? [];
  if (comment === undefined) {
    throw new Error(`${path} needs a comment /** … */ above @Module: its first sentence says what the area is for`);
  }
  const line = comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim();
  return /^.*?\.(?= |$)/.exec(line)?.[0] ?? line;
}

/** The uses without arrows between areas that are already connected through others. */
function withoutShortcuts(uses) {
  const reachedFrom = new Map();
  const reach = (area) => {
    if (!reachedFrom.has(area)) {
      reachedFrom.set(area, new Set([...uses.get(area)].flatMap((next) => [next, ...reach(next)])));
    }
    return reachedFrom.get(area);
  };
  return new Map(
    [...uses].map(([area, used]) => [
      area,
      [...used].filter((target) => ![...used].some((other) => other !== target && reach(other).has(target))),
    ]),
  );
}

const TRIGGER =
  /CREATE TRIGGER "(\w+)" (?:AFTER|BEFORE) (?:INSERT|UPDATE|DELETE)[^;]*? ON "(\w+)"[^;]*?EXECUTE FUNCTION "(\w+)"\((?:'(\w+)')?\)/g;
const FUNCTION = /CREATE (?:OR REPLACE )?FUNCTION "(\w+)"\(\) RETURNS trigger[\s\S]*?\$\$([\s\S]*?)\$\$/g;

/** Texts of the files below a folder by path, without specs. */
function textsBelow(folder) {
  const names = readdirSync(folder, { recursive: true }).filter(
    (name) => /\.ts$/.test(name) && !/spec\.ts$/.test(name),
  );
  return new Map(names.sort().map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')]));
}

/**
 * Joins of areas without an import: a changed row in a table of one area, and the trigger that writes a row of another
 * area or notifies it. Each is `{ trigger, table, from, does, to }`, with areas by name.
 */
function readJoins() {
  const sources = textsBelow(SERVER);
  const areaWith = (pattern) => [...sources].filter(([, text]) => pattern.test(text)).map(([path]) => areaOf(path))[0];
  const ownerOf = (table) =>
    areaWith(new RegExp(`@Entity\\((?:\\{ name: )?'${table}'`)) ?? areaWith(new RegExp(`DELETE FROM "?${table}\\b`));
  // `down` restores objects of other migrations, so it is ignored. The last definition of an object counts.
  const made = [...textsBelow(MIGRATIONS).values()].map((text) => text.split('async down(')[0]);
  const bodies = new Map(made.flatMap((text) => [...text.matchAll(FUNCTION)].map(([, name, body]) => [name, body])));
  const joins = new Map();
  for (const [, trigger, table, name, channel] of made.flatMap((text) => [...text.matchAll(TRIGGER)])) {
    const body = bodies.get(name) ?? '';
    const written = /INSERT INTO "(\w+)"/.exec(body)?.[1];
    const from = ownerOf(table);
    const to = channel === undefined ? written && ownerOf(written) : areaWith(new RegExp(`_CHANNEL = '${channel}'`));
    if (from === undefined || to === undefined || to === from) continue;
    const does = channel === undefined ? `writes a row of \`${written}\`` : `notifies \`${channel}\``;
    joins.set(trigger, { trigger, table, from, does, to });
  }
  return [...joins.values()].sort((a, b) => a.from.localeCompare(b.from) || a.trigger.localeCompare(b.trigger));
}

/** The lines between the markers: a diagram, and a table for each neighbourhood. */
function areaMap() {
  const uses = readAreas();
  const areas = [...uses.keys()].sort();
  const of = (neighbourhood) => areas.filter((area) => area.startsWith(`${neighbourhood}/`));
  const id = (area) => area.replaceAll(/[^a-z]/g, '_');
  const built = NEIGHBOURHOODS.filter((neighbourhood) => of(neighbourhood).length > 0);
  const lines = ['```mermaid', 'flowchart RL'];
  for (const neighbourhood of built) {
    lines.push(`  subgraph ${neighbourhood}`);
    for (const area of of(neighbourhood)) lines.push(`    ${id(area)}["${area.split('/')[1]}"]`);
    lines.push('  end');
  }
  for (const [area, used] of [...withoutShortcuts(uses)].sort()) {
    for (const target of used.sort()) lines.push(`  ${id(area)} --> ${id(target)}`);
  }
  const joins = readJoins();
  for (const pair of new Set(joins.map(({ from, to }) => `  ${id(from)} -. rows .-> ${id(to)}`))) lines.push(pair);
  lines.push(
    '```',
    '',
    'An arrow is left out if other arrows lead to the same place; the tables list all of them. A dotted arrow is a',
    'connection through database triggers, from the area whose rows change to the area that reacts.',
    '',
    '| Trigger | On | Does | From | To |',
    '| --- | --- | --- | --- | --- |',
  );
  for (const { trigger, table, from, does, to } of joins) {
    lines.push(`| \`${trigger}\` | \`${table}\` | ${does} | ${from} | ${to} |`);
  }
  for (const neighbourhood of built) {
    lines.push('', `#### ${neighbourhood}`, '', '| Area | What it is for | Uses |', '| --- | --- | --- |');
    for (const area of of(neighbourhood)) {
      const used = [...uses.get(area)].sort().map((target) => target.split('/')[1]);
      lines.push(`| \`${area.split('/')[1]}\` | ${purposeOf(area)} | ${used.join(', ') || '–'} |`);
    }
  }
  return lines.join('\n');
}

/** The page with the current map between its markers. */
export function withAreaMap(page) {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (tail === undefined) throw new Error(`docs/architecture.md has no line "${BEGIN}" or no line "${END}"`);
  return `${head}${BEGIN}\n\n${areaMap()}\n\n${END}${tail}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(MAP_FILE, withAreaMap(readFileSync(MAP_FILE, 'utf8')));
  console.log('docs/architecture.md is written');
}
