import { definitionOf, seriesBySeries } from './series-data.mjs';

/** Points per backfill input. */
const CHUNK = 6_000;

/** Defines `series` series in a shard and gives each `history` points, one series after the other. */
export function learn(shard, series, history) {
  const together = Math.max(1, Math.floor(CHUNK / history));
  for (let first = 0; first < series; first += together) {
    const count = Math.min(together, series - first);
    for (let i = 0; i < count; i++) shard.define(definitionOf(first + i));
    shard.apply(seriesBySeries('backfill', first, count, 0, history));
  }
}
