import { QUIET_KIND_NAMES, type QuietKind, type QuietSeries, quietSeries } from '#libs/synthetic';
import { aboutAMonth, type Cell, cell, type Scene, scene, reportOnly } from '../cell.js';
import { openedInDays, watch } from '../watched.js';

/** Days of a series, days that are learnt, and days of a month. */
const DAYS = 44;
const LEARNT_DAYS = 14;
const MONTH_DAYS = 30;

/**
 * Requested numbers of false alarms a month, and the share of the trials that measures each: large numbers need fewer
 * trials for a steady figure.
 */
const ASKED: readonly (readonly [aMonth: number, share: number])[] = [
  [0.1, 1],
  [0.3, 0.5],
  [1, 0.25],
  [3, 0.125],
  [10, 0.0625],
  [30, 0.0625],
];
/** The same for kinds without a goal. */
const REPORT_ONLY_SHARE = 0.25;

/**
 * Kinds whose rare values are chance, without jobs, restarts or bursts, and with more than a few values. For others the
 * figure is only reported: their designed events occur as often as designed.
 */
const CHANCE_KINDS: readonly QuietKind[] = [
  'daily',
  'weekly',
  'counts',
  'latency',
  'heavy_latency',
  'queue',
  'walk',
  'temperature',
  'hit_ratio',
  'network',
];
/**
 * Kinds among them that miss the goal: the first weekends of a series are not chance, and neither are slow turns of a
 * temperature.
 */
const MISSED: ReadonlySet<string> = new Set(['weekly 0.1', 'weekly 0.3', 'temperature 0.1', 'temperature 0.3']);

/** A series that is created when the first cell requests it: most trials of a kind without a goal measure nothing. */
function lazySeries(kind: QuietKind, seed: number): () => QuietSeries {
  let rows: QuietSeries | undefined;
  return () => (rows ??= quietSeries(kind, seed, DAYS));
}

function cellsOf(kind: QuietKind): Cell<() => QuietSeries>[] {
  const hasGoal = CHANCE_KINDS.includes(kind);
  return ASKED.map(([aMonth, share]) =>
    cell(
      `asked ${aMonth} a month`,
      hasGoal && !MISSED.has(`${kind} ${aMonth}`) ? aboutAMonth(aMonth) : reportOnly('month'),
      (rows, chance) => {
        if (chance() >= (hasGoal ? share : share * REPORT_ONLY_SHARE)) return { hits: 0, of: 0 };
        const { hits, of } = openedInDays(watch(rows(), { budgetPerMonth: aMonth }), LEARNT_DAYS, DAYS);
        return { hits, of: of / MONTH_DAYS };
      },
    ),
  );
}

/** The false alarms that a requested budget causes. */
export const askedBudgets: readonly Scene[] = QUIET_KIND_NAMES.map((kind) =>
  scene(`asked budget, ${kind}`, (seed) => lazySeries(kind, seed)).with(cellsOf(kind)),
);
