import { type Goal, type Outcome } from './cell.js';

const { exp, log } = Math;

/** All trials of one cell. */
export interface Tally {
  outcomes: Outcome[];
  /** Messages of trials that threw; one is enough to fail the cell. */
  errors: string[];
}

/**
 * The short form fails a cell only if a detector that just reaches the goal would look this bad with a lower
 * probability.
 */
const DOUBT = 0.01;
/** A frequency counts as requested within this factor in both directions. */
const ASKED_WITHIN = 2;
/** Number of standard errors by which a mean over a few trials may be outside its band. */
const BAND_DOUBT = 3;

/** The figure that the goal refers to; NaN if nothing was measured. */
export function figureOf({ outcomes }: Tally): number {
  return sum(outcomes, 'hits') / sum(outcomes, 'of');
}

/** True when the figure itself reaches the goal: for many trials. */
export function isReached(goal: Goal, tally: Tally): boolean {
  if (tally.errors.length > 0) return false;
  const figure = figureOf(tally);
  switch (goal.kind) {
    case 'share':
      return figure >= goal.atLeast;
    case 'rate':
    case 'ratio':
      return figure <= goal.atMost;
    case 'asked':
      return isAsAsked(goal.aMonth, tally);
    case 'band':
      return figure >= goal.from && figure <= goal.to;
    case 'none':
      return true;
  }
}

/**
 * True within a factor of two of the requested frequency, or so close to it that the difference may be chance: hundreds
 * of months contain few events that occur every ten months.
 */
function isAsAsked(aMonth: number, tally: Tally): boolean {
  // Only some of the trials measure anything; with few trials, it may be none.
  if (tally.outcomes.length > 0 && sum(tally.outcomes, 'of') === 0) return true;
  const figure = figureOf(tally);
  if (figure >= aMonth / ASKED_WITHIN && figure <= aMonth * ASKED_WITHIN) return true;
  const hits = sum(tally.outcomes, 'hits');
  const months = sum(tally.outcomes, 'of');
  if (months === 0) return false;
  if (figure > aMonth) return poissonAtLeast(hits, aMonth * ASKED_WITHIN * months) >= DOUBT;
  return 1 - poissonAtLeast(hits + 1, (aMonth / ASKED_WITHIN) * months) >= DOUBT;
}

/** True unless these few trials clearly contradict the goal: their number allows for chance. */
export function isPlausible(goal: Goal, tally: Tally): boolean {
  if (tally.errors.length > 0) return false;
  if (isReached(goal, tally)) return true;
  const hits = sum(tally.outcomes, 'hits');
  const of = sum(tally.outcomes, 'of');
  if (of === 0) return false;
  switch (goal.kind) {
    case 'share':
      return binomialAtMost(hits, of, goal.atLeast) >= DOUBT;
    case 'rate':
      return poissonAtLeast(hits, goal.atMost * of) >= DOUBT;
    case 'asked':
      return false;
    case 'ratio':
      return figureOf(tally) - BAND_DOUBT * standardError(tally) <= goal.atMost;
    case 'band': {
      const error = BAND_DOUBT * standardError(tally);
      return figureOf(tally) + error >= goal.from && figureOf(tally) - error <= goal.to;
    }
    case 'none':
      return true;
  }
}

/** The most frequent notes of trials, with their numbers. */
export function notesOf({ outcomes }: Tally, most = 3): string {
  const counts = new Map<string, number>();
  for (const { note } of outcomes) if (note !== undefined) counts.set(note, (counts.get(note) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([note, count]) => `${count} × ${note}`)
    .join(', ');
}

/** `≥ 99 %` */
export function goalText(goal: Goal): string {
  switch (goal.kind) {
    case 'share':
      return goal.atLeast === 1 ? percent(1) : `≥ ${percent(goal.atLeast)}`;
    case 'rate':
      return `≤ ${goal.atMost} a day`;
    case 'ratio':
      return `≤ ${goal.atMost}`;
    case 'asked':
      return `about ${goal.aMonth} a month`;
    case 'band':
      return `${percent(goal.from)} to ${percent(goal.to)}`;
    case 'none':
      return 'reported';
  }
}

/** `98.5 % of 200` */
export function figureText(goal: Goal, tally: Tally): string {
  if (tally.outcomes.length === 0) return '–';
  const figure = figureOf(tally);
  const of = sum(tally.outcomes, 'of');
  const unit = goal.kind === 'none' ? goal.of : goal.kind === 'rate' ? 'day' : goal.kind;
  if (unit === 'day') return `${figure.toFixed(3)} a day (${sum(tally.outcomes, 'hits')} in ${Math.round(of)})`;
  if (unit === 'asked' || unit === 'month') {
    return `${figure.toFixed(2)} a month (${sum(tally.outcomes, 'hits')} in ${Math.round(of)})`;
  }
  if (unit === 'ratio') return figure.toFixed(3);
  return unit === 'share' || unit === 'trial' ? `${percent(figure)} of ${of}` : percent(figure);
}

function percent(share: number): string {
  return `${String(Number((100 * share).toFixed(2)))} %`;
}

function sum(outcomes: readonly Outcome[], member: 'hits' | 'of'): number {
  return outcomes.reduce((total, outcome) => total + outcome[member], 0);
}

/** Standard error of a ratio of sums, from the differences between the trials. */
function standardError(tally: Tally): number {
  const figure = figureOf(tally);
  const trials = tally.outcomes.length;
  if (trials < 2) return Infinity;
  const squares = tally.outcomes.reduce((total, { hits, of }) => total + (hits - figure * of) ** 2, 0);
  return Math.sqrt((squares * trials) / (trials - 1)) / sum(tally.outcomes, 'of');
}

/** Probability of at most `hits` successes in `tries` (whole numbers), each with probability `share`. */
export function binomialAtMost(hits: number, tries: number, share: number): number {
  if (share >= 1) return hits >= tries ? 1 : 0;
  let total = 0;
  let logChoices = 0;
  for (let k = 0; k <= hits; k++) {
    total += exp(logChoices + k * log(share) + (tries - k) * log(1 - share));
    logChoices += log(tries - k) - log(k + 1);
  }
  return total;
}

/** Probability of at least `events` events if `mean` are expected. */
export function poissonAtLeast(events: number, mean: number): number {
  let term = exp(-mean);
  let below = 0;
  for (let k = 0; k < events; k++) {
    below += term;
    term *= mean / (k + 1);
  }
  return 1 - below;
}
