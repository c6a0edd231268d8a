import { type AnomalyEvent, DetectionShard, type SeriesDefinition, type SeriesProgress } from '#libs/detection';
import { DAY, definition, type Generator, input, type Rows, series, START, tick } from '#libs/detection/testing';

/** One anomaly as it was reported live. Times in Unix seconds. */
export interface LivedAnomaly {
  /** Time of the first report: the slot whose arrival opened it. */
  openedAt: number;
  /** Time at which its end was reported; Infinity while it is open. */
  closedAt: number;
  /** Its last event. */
  event: AnomalyEvent;
}

/** The events of a continuation of a learnt series. */
export class Episode {
  readonly anomalies: readonly LivedAnomaly[];

  constructor(events: readonly { at: number; event: AnomalyEvent }[]) {
    const lived = new Map<number, LivedAnomaly>();
    for (const { at, event } of events) {
      const known = lived.get(event.startTimestamp) ?? { openedAt: at, closedAt: Infinity, event };
      lived.set(event.startTimestamp, { ...known, event, closedAt: event.type === 'closed' ? at : Infinity });
    }
    this.anomalies = [...lived.values()];
  }

  /** The first anomaly opened by a slot of [from, until). */
  openedIn(from: number, until: number): LivedAnomaly | undefined {
    return this.anomalies.find(({ openedAt }) => openedAt >= from && openedAt < until);
  }

  /** The anomaly that was open after the slot at a time. */
  openAt(timestamp: number): LivedAnomaly | undefined {
    return this.anomalies.find(({ openedAt, closedAt }) => openedAt <= timestamp && closedAt > timestamp);
  }

  /** The anomaly with the longest overlap with [from, until). */
  covering(from: number, until: number): LivedAnomaly | undefined {
    let best: LivedAnomaly | undefined;
    let most = 0;
    for (const one of this.anomalies) {
      const { startTimestamp, endTimestamp } = one.event;
      const common = Math.min(until, (endTimestamp ?? Infinity) + 1) - Math.max(from, startTimestamp);
      if (common > most) [best, most] = [one, common];
    }
    return best;
  }
}

/** Value of a changed row; undefined: the row is missing. `minute` counts from the start of the event. */
export type Change = (value: number, minute: number, timestamp: number) => number | undefined;

export interface LearntOptions {
  learntDays: number;
  /** Number of days of the series after the learnt part. */
  restDays: number;
  stepSeconds?: number;
  start?: number;
  definition?: Partial<SeriesDefinition>;
}

/** A series that a shard has learnt once; any number of events branch off from this state, each in a separate shard. */
export class LearntSeries {
  /** Timestamp of the first row after the learnt part. */
  readonly end: number;
  readonly stepSeconds: number;
  /** The progress of the series after the shard had learnt it. */
  readonly progress: SeriesProgress;
  private readonly rows: Rows;
  private readonly learntRows: number;
  private readonly state: Uint8Array;

  constructor(base: Generator, options: LearntOptions) {
    const { learntDays, restDays, start = START } = options;
    this.stepSeconds = options.stepSeconds ?? 60;
    this.rows = series(learntDays + restDays, this.stepSeconds, base, start);
    this.end = start + learntDays * DAY;
    this.learntRows = Math.round((learntDays * DAY) / this.stepSeconds);
    const shard = new DetectionShard();
    shard.define(definition(1, { slotSeconds: this.stepSeconds, ...options.definition }));
    shard.apply({
      kind: 'live',
      now: this.end,
      ids: new Uint32Array(this.learntRows).fill(1),
      timestamps: this.rows.timestamps.slice(0, this.learntRows),
      values: this.rows.values.slice(0, this.learntRows),
    });
    this.progress = shard.progress(1)!;
    this.state = shard.snapshot();
  }

  /** A random slot within `days` after the learnt part. */
  anyMoment(chance: () => number, days = 1): number {
    return this.end + Math.floor((chance() * days * DAY) / this.stepSeconds) * this.stepSeconds;
  }

  /** Continues for the duration of the event and `after` minutes more, slot by slot, with rows of the event changed. */
  episode(from: number, minutes: number, change: Change, after = 30): Episode {
    const shard = DetectionShard.restore(this.state);
    const events: { at: number; event: AnomalyEvent }[] = [];
    const until = Math.min(from + (minutes + after) * 60, this.rows.timestamps.at(-1)! + this.stepSeconds);
    for (let row = this.learntRows; this.rows.timestamps[row]! < until; row++) {
      const at = this.rows.timestamps[row]!;
      const minute = (at - from) / 60;
      const usual = this.rows.values[row]!;
      const value = minute >= 0 && minute < minutes ? change(usual, minute, at) : usual;
      const output = shard.apply(value === undefined ? tick(at) : input([[1, at, value]]));
      for (const event of output.events) events.push({ at, event });
    }
    return new Episode(events);
  }
}
