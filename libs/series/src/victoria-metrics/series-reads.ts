import { type FoundPoints, idLabelOf, NOTHING_FOUND, pointsOf, selectorOf } from './samples.js';
import { type VictoriaMetricsClient } from './vm-client.js';

/** Number of series in one query, and of concurrent queries. */
const SERIES_AT_A_TIME = 200;
const AT_ONCE = 4;

/** A part of one generation of a series, Unix seconds, both inclusive. */
export interface GenerationWindow {
  id: number;
  generation: number;
  org: number;
  from: number;
  until: number;
}

/** The data in VictoriaMetrics, in the same order. Series with the same window and tenant share a query. */
export async function readGenerations(
  vm: VictoriaMetricsClient,
  windows: readonly GenerationWindow[],
): Promise<FoundPoints[]> {
  const places = new Map<string, number[]>();
  for (const [place, { org, from, until }] of windows.entries()) {
    const key = `${String(vm.isByTenant ? org : 0)} ${String(from)} ${String(until)}`;
    const some = places.get(key);
    if (some) some.push(place);
    else places.set(key, [place]);
  }
  const queries = [...places.values()].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / SERIES_AT_A_TIME) }, (_, n) =>
      some.slice(n * SERIES_AT_A_TIME, (n + 1) * SERIES_AT_A_TIME),
    ),
  );
  const found = windows.map(() => NOTHING_FOUND);
  const runQueries = async (): Promise<void> => {
    for (let query = queries.pop(); query; query = queries.pop()) {
      const { org, from, until } = windows[query[0]!]!;
      const labels = query.map((place) => idLabelOf(windows[place]!.id, windows[place]!.generation));
      const points = pointsOf(await vm.export(org, selectorOf([...new Set(labels)]), from, until));
      for (const [n, place] of query.entries()) found[place] = points.get(labels[n]!) ?? NOTHING_FOUND;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runQueries));
  return found;
}
