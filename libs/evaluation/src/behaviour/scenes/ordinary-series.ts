import { type QuietKind, quietSeries } from '#libs/synthetic';
import { atMostADay, cell, type Scene, scene } from '../cell.js';
import { openedInDays, watch } from '../watched.js';

const DAYS = 28;
const LEARNT_DAYS = 14;

/** Kinds in which an anomaly opens only by rare chance; `plumbline bench noise` also covers the others. */
const SILENT: readonly QuietKind[] = [
  'daily',
  'latency',
  'hourly_job',
  'leak_deploys',
  'collector_saw',
  'bursty_processor',
  'sparse_errors',
  'disk',
  'connections',
  'network',
];

export const ordinarySeries: readonly Scene[] = SILENT.map((kind) =>
  scene(`ordinary series, ${kind}`, (seed) => watch(quietSeries(kind, seed, DAYS))).with([
    cell(`false alarms, days ${LEARNT_DAYS} to ${DAYS}`, atMostADay(0.02), (watched) =>
      openedInDays(watched, LEARNT_DAYS, DAYS),
    ),
  ]),
);
