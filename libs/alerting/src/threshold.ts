import { type ThresholdRule } from './watcher-rule.js';

/** A metric crosses its threshold, or returns. Times in Unix seconds. */
export interface ThresholdEvent {
  type: 'breached' | 'recovered';
  /** Slot of the point that decided; for silence, the time at which it was detected. */
  timestamp: number;
  /** The compared value: the value or its moving function; seconds of silence for `no_data`. */
  value: number;
  /** The limit that it has crossed, or within which it has returned. */
  limit: number;
}

/** The state of a series that is needed to continue after a restart. */
export interface ThresholdStart {
  isBreached: boolean;
  /** Limit of the breach, for `drop_off`; null: unknown. */
  limit: number | null;
}

const NOT_BREACHED: ThresholdStart = { isBreached: false, limit: null };

/** Length of the points before a series can be judged, seconds; 0: none are needed. */
export function historySeconds(rule: ThresholdRule, resolutionSeconds: number): number {
  const window = rule.algorithm === 'drop_off' ? rule.minimumAvgSeconds! : (rule.functionSeconds ?? 0);
  const run = rule.timesInARow > 1 && rule.algorithm !== 'no_data' ? rule.timesInARow * resolutionSeconds : 0;
  return window === 0 && run === 0 ? 0 : window + run;
}

/**
 * One series compared with one threshold. Points arrive in the order of their slots; a slot may arrive again with a
 * newer value, a point that is older than the newest one is ignored. The same points and times produce the same events,
 * live and in a replay.
 */
export class ThresholdSeries {
  private isBeyond: boolean;
  /** Consecutive points that contradict the current state, without and with the newest one. */
  private runBefore = 0;
  private run = 0;
  /** Limit of the current run, or of the breach. */
  private frozenLimit: number | null;
  private newest = -Infinity;
  private hasChangedAtNewest = false;
  private readonly window: MovingWindow | null;

  constructor(
    private readonly rule: ThresholdRule,
    { isBreached, limit }: ThresholdStart = NOT_BREACHED,
  ) {
    this.isBeyond = isBreached;
    this.frozenLimit = limit;
    const seconds = rule.algorithm === 'drop_off' ? rule.minimumAvgSeconds : rule.functionSeconds;
    this.window = seconds === null ? null : new MovingWindow(seconds, rule.function === 'median');
  }

  get isBreached(): boolean {
    return this.isBeyond;
  }

  /** Limit of the breach, or of a possible one; null if the rule defines it. */
  get limit(): number | null {
    return this.frozenLimit;
  }

  /** Slot of the newest point; -Infinity before the first one. */
  get newestTimestamp(): number {
    return this.newest;
  }

  /** An earlier point: it fills the window and counts for the run, but does not change the state. */
  seed(timestamp: number, value: number): void {
    if (timestamp <= this.newest || !Number.isFinite(value)) return;
    const judged = this.judge(timestamp, value);
    this.newest = timestamp;
    if (judged === null) return;
    this.runBefore = this.run;
    this.count(judged);
    // The next point decides.
    this.run = Math.min(this.run, this.rule.timesInARow - 1);
    if (this.run === 0 && !this.isBeyond) this.frozenLimit = null;
  }

  /** @returns the event that this point causes, or null */
  point(timestamp: number, value: number): ThresholdEvent | null {
    if (timestamp < this.newest || !Number.isFinite(value)) return null;
    const isAgain = timestamp === this.newest;
    // A reported event of a slot is final, even if the value of the slot changes later.
    if (isAgain && this.hasChangedAtNewest) {
      this.window?.replaceNewest(value);
      return null;
    }
    if (isAgain) this.run = this.runBefore;
    else this.runBefore = this.run;
    this.newest = timestamp;
    this.hasChangedAtNewest = false;
    const judged = this.judge(timestamp, value);
    if (judged === null) return null;
    this.count(judged);
    if (this.run < this.rule.timesInARow) {
      if (this.run === 0 && !this.isBeyond) this.frozenLimit = null;
      return null;
    }
    return this.change(timestamp, judged);
  }

  /**
   * A time without points, at which silence is detected. `now` in Unix seconds; `arrivedAt`: when the newest point
   * arrived, by default its slot.
   */
  tick(now: number, arrivedAt = this.newest): ThresholdEvent | null {
    const { algorithm, value } = this.rule;
    if (algorithm !== 'no_data' || this.isBeyond || arrivedAt === -Infinity) return null;
    const silence = now - arrivedAt;
    if (silence <= value!) return null;
    this.isBeyond = true;
    this.run = 0;
    this.runBefore = 0;
    this.hasChangedAtNewest = false;
    return { type: 'breached', timestamp: Math.floor(now), value: Math.floor(silence), limit: value! };
  }

  private count({ isWrong }: Judged): void {
    this.run = isWrong === this.isBeyond ? 0 : this.run + 1;
  }

  private change(timestamp: number, { compared, limit }: Judged): ThresholdEvent {
    this.isBeyond = !this.isBeyond;
    this.run = 0;
    this.runBefore = 0;
    this.hasChangedAtNewest = true;
    this.frozenLimit = this.isBeyond && this.rule.algorithm === 'drop_off' ? limit : null;
    return { type: this.isBeyond ? 'breached' : 'recovered', timestamp, value: compared, limit };
  }

  /** Returns null if this point cannot be judged. */
  private judge(timestamp: number, value: number): Judged | null {
    const { rule, window } = this;
    if (rule.algorithm === 'no_data') return { compared: 0, limit: rule.value!, isWrong: false };
    if (rule.algorithm === 'drop_off') return this.judgeDrop(timestamp, value);
    window?.add(timestamp, value);
    const compared = window === null ? value : window.result(rule.function);
    if (compared === null) return null;
    return judgeLimits(rule, compared);
  }

  /** The limit of a run is that at its start: the drop itself must not lower it. */
  private judgeDrop(timestamp: number, value: number): Judged | null {
    const { rule } = this;
    const window = this.window!;
    window.dropBefore(timestamp);
    const average = window.meanBefore(timestamp);
    window.add(timestamp, value);
    let limit = this.frozenLimit;
    if (limit === null) {
      if (average === null || average < rule.minimumAvg!) return { compared: value, limit: 0, isWrong: false };
      limit = average * (1 - rule.dropPercent! / 100);
    }
    const isWrong = value < limit || (rule.dropPercent === 100 && value <= limit);
    if (isWrong) this.frozenLimit = limit;
    return { compared: value, limit, isWrong };
  }
}

interface Judged {
  compared: number;
  limit: number;
  isWrong: boolean;
}

function judgeLimits({ algorithm, value, valueUpper }: ThresholdRule, compared: number): Judged {
  const lower = value!;
  if (algorithm === 'above') return { compared, limit: lower, isWrong: compared > lower };
  if (algorithm === 'below') return { compared, limit: lower, isWrong: compared < lower };
  const upper = valueUpper!;
  return {
    compared,
    limit: compared > (lower + upper) / 2 ? upper : lower,
    isWrong: compared < lower || compared > upper,
  };
}

/** The points of the last seconds, including the newest one. */
class MovingWindow {
  private timestamps: number[] = [];
  private values: number[] = [];
  private first = 0;
  /** The sorted values of the window if a median is needed: sorting all values for each point would take too long. */
  private readonly sorted: number[] | null;

  constructor(
    private readonly seconds: number,
    isSorted: boolean,
  ) {
    this.sorted = isSorted ? [] : null;
  }

  /** A point that is newer than all others, or the newest one again. */
  add(timestamp: number, value: number): void {
    this.dropBefore(timestamp);
    if (this.timestamps.at(-1) === timestamp) {
      this.replaceNewest(value);
      return;
    }
    this.timestamps.push(timestamp);
    this.values.push(value);
    this.sorted?.splice(placeOf(this.sorted, value), 0, value);
  }

  replaceNewest(value: number): void {
    const old = this.values.at(-1);
    if (old === undefined) return;
    this.values[this.values.length - 1] = value;
    this.sorted?.splice(placeOf(this.sorted, old), 1);
    this.sorted?.splice(placeOf(this.sorted, value), 0, value);
  }

  /** Drops points that are before the window that ends at `timestamp`. */
  dropBefore(timestamp: number): void {
    const { timestamps } = this;
    while (this.first < timestamps.length && timestamps[this.first]! <= timestamp - this.seconds) {
      this.sorted?.splice(placeOf(this.sorted, this.values[this.first]!), 1);
      this.first++;
    }
    if (this.first > 64 && this.first > timestamps.length / 2) {
      this.timestamps = timestamps.slice(this.first);
      this.values = this.values.slice(this.first);
      this.first = 0;
    }
  }

  /** Mean of the points before a time; null if there are none. */
  meanBefore(timestamp: number): number | null {
    let sum = 0;
    let count = 0;
    for (let i = this.first; i < this.timestamps.length && this.timestamps[i]! < timestamp; i++) {
      sum += this.values[i]!;
      count++;
    }
    return count === 0 ? null : sum / count;
  }

  /** Null: too few points. */
  result(wanted: ThresholdRule['function']): number | null {
    const { first, values } = this;
    const count = values.length - first;
    if (count === 0) return null;
    if (wanted === 'none') return values.at(-1)!;
    if (wanted === 'rate') return this.rate();
    if (wanted === 'median') return medianOf(this.sorted!);
    let result = values[first]!;
    for (let i = first + 1; i < values.length; i++) {
      const value = values[i]!;
      result = wanted === 'min' ? Math.min(result, value) : wanted === 'max' ? Math.max(result, value) : result + value;
    }
    return wanted === 'mean' ? result / count : result;
  }

  /** Increase per second; a counter that falls has restarted at 0. */
  private rate(): number | null {
    const { first, timestamps, values } = this;
    const seconds = timestamps.at(-1)! - timestamps[first]!;
    if (seconds <= 0) return null;
    let increase = 0;
    for (let i = first + 1; i < values.length; i++) {
      const step = values[i]! - values[i - 1]!;
      increase += step >= 0 ? step : Math.max(0, values[i]!);
    }
    return increase / seconds;
  }
}

/** The position of a value among sorted ones. */
function placeOf(sorted: readonly number[], value: number): number {
  let [from, until] = [0, sorted.length];
  while (from < until) {
    const middle = (from + until) >> 1;
    if (sorted[middle]! < value) from = middle + 1;
    else until = middle;
  }
  return from;
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * The value compared with a threshold, and the limit of that breach if it moves; null: there is no value, or the limit
 * is unknown.
 */
export interface Beyond {
  value: number | null;
  limit?: number | null;
}

/**
 * Sorts metrics by their distance beyond a threshold, descending; metrics with equal distance, and those without a
 * value, stay in order.
 */
export function furthestFirst<Breach extends Beyond>(rule: ThresholdRule, breaches: readonly Breach[]): Breach[] {
  return breaches
    .map((breach) => ({ breach, distance: distanceBeyond(rule, breach) }))
    .sort((a, b) => (a.distance === b.distance ? 0 : b.distance - a.distance))
    .map(({ breach }) => breach);
}

/** In the unit of the metrics; for `drop_off`, as a share of the limit, which differs by metric. */
function distanceBeyond({ algorithm, value: lower, valueUpper }: ThresholdRule, { value, limit }: Beyond): number {
  if (value === null) return -Infinity;
  switch (algorithm) {
    case 'above':
    case 'no_data':
      return value - (lower ?? 0);
    case 'below':
      return (lower ?? 0) - value;
    case 'outside':
      return Math.max((lower ?? 0) - value, value - (valueUpper ?? 0));
    case 'drop_off':
      return limit == null || limit === 0 ? -value : (limit - value) / Math.abs(limit);
  }
}

/** Points of one series, by slot. */
export interface ThresholdPoints {
  timestamps: ArrayLike<number>;
  values: ArrayLike<number>;
}

/** Interval of checks for silence, live and in a replay. */
const TICK_SECONDS = 60;

/**
 * The events of a threshold for stored points: the same as those of the live code. Points before `from` fill windows;
 * pass `historySeconds` of them.
 * @param until the end of the replay, at which silence is still detected; Unix seconds
 */
export function replayThreshold(
  rule: ThresholdRule,
  { timestamps, values }: ThresholdPoints,
  from: number,
  until: number,
): ThresholdEvent[] {
  const series = new ThresholdSeries(rule);
  const events: ThresholdEvent[] = [];
  const note = (event: ThresholdEvent | null): void => {
    if (event !== null) events.push(event);
  };
  const tickUntil = (end: number): void => {
    if (rule.algorithm !== 'no_data' || series.isBreached || series.newestTimestamp === -Infinity) return;
    // The first minute that starts after the maximum silence.
    const at = Math.floor((series.newestTimestamp + rule.value!) / TICK_SECONDS + 1) * TICK_SECONDS;
    if (at >= from && at <= end) note(series.tick(at));
  };
  for (let i = 0; i < timestamps.length; i++) {
    const timestamp = timestamps[i]!;
    if (timestamp > until) break;
    if (timestamp < from) {
      series.seed(timestamp, values[i]!);
      continue;
    }
    tickUntil(timestamp - 1);
    note(series.point(timestamp, values[i]!));
  }
  tickUntil(until);
  return events;
}
