const MINUTE = 60;
const HOUR_MINUTES = 60;
const KEPT_RUNS = 4;

/**
 * Returns the last start of a process: it restarts about every `periodSeconds`, at times that depend only on the seed.
 */
export type RestartBefore = (timestamp: number) => number;

/** Times of restarts: one per period, at a position in its first half that the given function determines. */
export function restarts(anchor: number, periodSeconds: number, placeOf: (index: number) => number): RestartBefore {
  const restartOf = (index: number): number =>
    Math.floor((anchor + (index + placeOf(index) / 2) * periodSeconds) / MINUTE) * MINUTE;
  return (timestamp) => {
    const index = Math.floor((timestamp - anchor) / periodSeconds);
    const restart = restartOf(index);
    return restart <= timestamp ? restart : restartOf(index - 1);
  };
}

/**
 * The value of a counter: the sum of a rate since the last restart. Sums of whole hours are cached, so that calls in
 * order of time evaluate the rate once per minute; the result does not depend on earlier calls.
 */
export class CounterIntegral {
  /** Start of a run → sums at its full hours. Oldest first. */
  private readonly runs = new Map<number, number[]>();
  /** Sums at the minutes of the most recently requested hour. */
  private hourStart = NaN;
  private minutes: number[] = [];

  constructor(
    private readonly ratePerSecond: (timestamp: number) => number,
    private readonly restartBefore: RestartBefore,
  ) {}

  valueAt(timestamp: number): number {
    const start = this.restartBefore(timestamp);
    const minute = Math.floor((timestamp - start) / MINUTE);
    const hour = Math.floor(minute / HOUR_MINUTES);
    const hourStart = start + hour * HOUR_MINUTES * MINUTE;
    const atHour = this.sumAtHour(start, hour);
    if (this.hourStart !== hourStart) {
      this.hourStart = hourStart;
      this.minutes = this.sumsOfHour(hourStart, atHour);
    }
    const index = minute - hour * HOUR_MINUTES;
    const before = this.minutes[index]!;
    const part = (timestamp - start) / MINUTE - minute;
    return Math.floor(before + (this.minutes[index + 1]! - before) * part);
  }

  private sumAtHour(start: number, hour: number): number {
    let sums = this.runs.get(start);
    if (sums === undefined) {
      sums = [0];
      if (this.runs.size >= KEPT_RUNS) this.runs.delete(this.runs.keys().next().value!);
      this.runs.set(start, sums);
    }
    while (sums.length <= hour) {
      const last = sums.length - 1;
      sums.push(this.sumsOfHour(start + last * HOUR_MINUTES * MINUTE, sums[last]!)[HOUR_MINUTES]!);
    }
    return sums[hour]!;
  }

  private sumsOfHour(hourStart: number, first: number): number[] {
    const sums = [first];
    for (let i = 0; i < HOUR_MINUTES; i++) {
      sums.push(sums[i]! + Math.max(0, this.ratePerSecond(hourStart + i * MINUTE)) * MINUTE);
    }
    return sums;
  }
}
