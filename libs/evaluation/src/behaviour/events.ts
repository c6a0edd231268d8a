import { type AnomalyKind } from '#libs/contracts';
import { normal } from '#libs/detection/testing';
import { type Change, type Episode, type LearntSeries } from './learnt-series.js';
import { atLeast, type Cell, cell, type Goal, type Outcome, yes } from './cell.js';

/** Cells about one event in a series that was learnt before. */

/** An anomaly was opened by one of the slots of this many minutes, starting at `from`. */
export function found(episode: Episode, from: number, minutes: number): Outcome {
  const opened = episode.openedIn(from, from + minutes * 60);
  if (opened !== undefined) return yes(true);
  const other = episode.anomalies[0];
  return yes(false, other === undefined ? 'nothing' : other.openedAt < from ? 'before' : 'later');
}

/** An event is found within this many minutes after its start. */
export function findsCell(
  name: string,
  goal: Goal,
  event: {
    minutes: number;
    within: number;
    change: Change;
    from?: (learnt: LearntSeries, chance: () => number) => number;
  },
): Cell<LearntSeries> {
  return cell(name, goal, (learnt, chance) => {
    const from = event.from?.(learnt, chance) ?? learnt.anyMoment(chance);
    return found(learnt.episode(from, event.minutes, event.change), from, event.within);
  });
}

/** The anomaly that covers an event finally has this kind. */
export function kindCell(
  kind: AnomalyKind,
  minutes: number,
  makeChange: (chance: () => number) => Change,
  options: {
    name?: string;
    after?: number;
    goal?: Goal;
    from?: (learnt: LearntSeries, chance: () => number) => number;
  } = {},
): Cell<LearntSeries> {
  const { name = `kind ${kind}`, after = 60, goal = atLeast(0.9) } = options;
  return cell(name, goal, (learnt, chance) => {
    const from = options.from?.(learnt, chance) ?? learnt.anyMoment(chance);
    const seen = learnt.episode(from, minutes, makeChange(chance), after).covering(from, from + minutes * 60);
    return yes(seen?.event.kind === kind, seen?.event.kind ?? 'nothing');
  });
}

/** Up or down at random. */
export const sign = (chance: () => number): number => (chance() < 0.5 ? -1 : 1);

/** Kinds that any series with noise of deviation 1 can show. */
export const commonKinds: readonly Cell<LearntSeries>[] = [
  kindCell('spike', 2, () => (x) => x + 18),
  kindCell('dip', 2, () => (x) => x - 18),
  kindCell('level_shift_up', 180, () => (x) => x + 12),
  kindCell('level_shift_down', 180, () => (x) => x - 12),
  kindCell('flatline', 90, frozen),
  kindCell('missing_data', 60, () => () => undefined),
  kindCell('variance_change', 360, growingSpread),
];

/** Repeats the first value of the event. */
export function frozen(): Change {
  let first: number | undefined;
  return (value) => (first ??= value);
}

/** Additional noise, growing to six deviations in two hours; the level stays. */
function growingSpread(chance: () => number): Change {
  const noise = normal(chance() * 2 ** 32);
  return (value, minute) => value + Math.min(1, minute / 120) * 6 * noise();
}

/** How a permanent outage must be detected: one anomaly, open until the end. */
export function outageCells(size: number): Cell<LearntSeries>[] {
  const outage = (learnt: LearntSeries, chance: () => number, minute: number): Outcome => {
    const from = learnt.anyMoment(chance);
    const episode = learnt.episode(from, minute + 1, (x) => x + size, 0);
    const open = episode.openAt(from + minute * 60);
    if (open === undefined) return yes(false, episode.anomalies.length === 0 ? 'nothing' : 'closed');
    return yes(open.openedAt >= from && open.openedAt < from + 600, 'another anomaly');
  };
  return [10, 60, 600].map((minute) =>
    cell(`an outage of ${Math.abs(size)} sigma is open at minute ${minute}`, atLeast(1), (learnt, chance) =>
      outage(learnt, chance, minute),
    ),
  );
}

/**
 * How an upward step must be detected: until its end, or until it is the new normal. Needs four more days of the
 * series.
 */
export function stepCells(size: number): Cell<LearntSeries>[] {
  const hours = 3600;
  return [
    cell(`a step of ${size} sigma for 8 hours is one anomaly that recovers`, atLeast(0.99), (learnt, chance) => {
      const from = learnt.anyMoment(chance);
      const end = from + 8 * hours;
      const step = learnt.episode(from, 480, (x) => x + size, 120).covering(from, end);
      if (step === undefined) return yes(false, 'nothing');
      const { closedAt, openedAt, event } = step;
      if (openedAt > from + 600) return yes(false, 'found late');
      if (closedAt < end || closedAt > end + 0.5 * hours)
        return yes(false, `closed after ${hoursAfter(from, closedAt)}`);
      return yes(event.closeReason === 'recovered', event.closeReason ?? 'open');
    }),
    cell(`a step of ${size} sigma that stays is accepted after 12 hours, said so`, atLeast(0.99), (learnt, chance) => {
      const from = learnt.anyMoment(chance);
      const step = learnt.episode(from, 14 * 60, (x) => x + size, 0).covering(from, from + 12 * hours);
      if (step === undefined) return yes(false, 'nothing');
      const { closedAt, event } = step;
      if (!(closedAt >= from + 12 * hours && closedAt <= from + 13 * hours)) {
        return yes(false, `closed after ${hoursAfter(from, closedAt)}`);
      }
      return yes(event.closeReason === 'adapted', event.closeReason ?? 'open');
    }),
    cell(
      `after a step of ${size} sigma was accepted, 2 days bring at most one anomaly`,
      atLeast(0.99),
      (learnt, chance) => {
        const from = learnt.anyMoment(chance);
        const accepted = from + 14 * hours;
        const { anomalies } = learnt.episode(from, 3 * 1440, (x) => x + size, 0);
        const later = anomalies.filter(({ openedAt }) => openedAt > accepted).length;
        return yes(later <= 1, `${later} opened`);
      },
    ),
  ];
}

function hoursAfter(from: number, closedAt: number): string {
  return closedAt === Infinity ? 'never' : `${Math.round((closedAt - from) / 3600)} h`;
}
