import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

const POINTS = 1440;

/** Data sets: names and stretches of a day of points. Generated ones, and those in `folder`. */
export async function dataSets(folder) {
  const sets = generatedSets();
  if (folder === undefined) return sets;
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    if (!(await stat(path)).isDirectory()) continue;
    const all = await csvSeries(path);
    if (all.length === 0) continue;
    const minutely = all.filter(({ step }) => step === 60);
    if (minutely.length > 0) for (const one of minutely) sets.push({ name: `${name}/${one.name}`, days: one.days });
    sets.push({ name: `${name} (all)`, days: all.flatMap(({ days }) => days) });
  }
  return sets;
}

function generatedSets() {
  const random = noise(1);
  const days = (valueAt) =>
    Array.from({ length: 50 }, (_, day) => Float64Array.from({ length: POINTS }, (_, i) => valueAt(i, day)));
  let total = 0;
  return [
    { name: 'made: constant', days: days((_, day) => day) },
    {
      name: 'made: percent, 2 decimals',
      days: days((i) => Math.round(5000 + 2000 * Math.sin(i / 230) + 300 * random()) / 100),
    },
    { name: 'made: counter', days: days(() => (total += Math.floor(1000 * random()))) },
    {
      name: 'made: count per minute / 60',
      days: days((i) => Math.round(60_000 + 9000 * Math.sin(i / 230) + 3000 * random()) / 60),
    },
    { name: 'made: random float64', days: days(() => random() + random() * 2 ** -32) },
  ];
}

async function csvSeries(folder) {
  const series = [];
  for (const file of (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.csv')).sort()) {
    const times = [];
    const values = [];
    for (const line of (await readFile(join(folder, file), 'utf8')).split(/\r?\n/).slice(1)) {
      const [time, value] = line.replaceAll('"', '').split(',');
      const seconds = /^\d+$/.test(time)
        ? Number(time)
        : Date.parse(`${time.replace(' ', 'T').replace(/Z$/, '')}Z`) / 1000;
      if (!Number.isFinite(seconds) || value === undefined || value === '' || !Number.isFinite(Number(value))) continue;
      times.push(seconds);
      values.push(Number(value));
    }
    const days = [];
    for (let first = 0; first + POINTS <= values.length; first += POINTS) {
      days.push(Float64Array.from(values.slice(first, first + POINTS)));
    }
    if (days.length > 0) series.push({ name: basename(file, '.csv').slice(0, 24), step: times[1] - times[0], days });
  }
  return series;
}

/** Repeatable numbers in place of noise, uniformly distributed over [0, 1). */
export function noise(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
