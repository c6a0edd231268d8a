/**
 * The map of areas in docs/architecture.md, made from the imports of the source. `npm run area-map` writes it;
 * test/architecture/area-map.spec.ts holds it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SERVER = join(ROOT, 'apps/server/src');
export const MAP_FILE = join(ROOT, 'docs/architecture.md');
/** From the lowest to the highest; `common` is below all of them and is left out. */
const NEIGHBOURHOODS = ['platform', 'people', 'data', 'analysis', 'alerting', 'views'];
const BEGIN = '<!-- area-map: written by npm run area-map -->';
const END = '<!-- /area-map -->';

/** `data/metric` of a path below apps/server/src; undefined outside of areas. */
function areaOf(path) {
  const [neighbourhood, area, ...rest] = relative(SERVER, path).split(sep);
  return NEIGHBOURHOODS.includes(neighbourhood) && rest.length > 0 ? `${neighbourhood}/${area}` : undefined;
}

/** Which areas each area imports: a map of names to sets of names, both sorted. */
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

/** First sentence of the comment above the module of an area. */
function purposeOf(area) {
  const name = area.split('/')[1];
  const folder = join(SERVER, area);
  const file = readdirSync(folder).find((entry) => entry === `${name}.module.ts`) ?? 'README.md';
  const text = readFileSync(join(folder, file), 'utf8');
  if (file === 'README.md') return text.split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? '';
  const comment = text.slice(0, text.indexOf('@Module(')).split('/**').at(-1).split('*/')[0];
  const words = comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim();
  return /^.*?\.(?= |$)/.exec(words)?.[0] ?? words;
}

/** Without the arrows that a longer way says too. */
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
  lines.push('```', '', 'An arrow that a longer way says too is left out; the tables have all of them.');
  for (const neighbourhood of built) {
    lines.push('', `#### ${neighbourhood}`, '', '| Area | What it is for | Uses |', '| --- | --- | --- |');
    for (const area of of(neighbourhood)) {
      const used = [...uses.get(area)].sort().map((target) => target.split('/')[1]);
      lines.push(`| \`${area.split('/')[1]}\` | ${purposeOf(area)} | ${used.join(', ') || '–'} |`);
    }
  }
  return lines.join('\n');
}

/** The page with the map of today's source between its markers. */
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
