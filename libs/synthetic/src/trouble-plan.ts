import { uniform } from './hash-noise.js';
import { type LocalClock } from './local-clock.js';
import { type LabelledIncident, type TroubleKind } from './types.js';

const MINUTE = 60;
const HOUR = 3600;

/** Trouble of one series, with what it does to the values. */
export interface PlannedTrouble extends LabelledIncident {
  /** Key of the model it happens to. */
  model: string;
  /** Spike, dip, level shift: by what the level is multiplied. Growing spread: by what the noise is, in the end. */
  strength: number;
}

type Kind = Exclude<TroubleKind, 'missed_job'>;
type Entry = readonly [model: string, kind: Kind, minutes: number, strength: number, text: string];

/** Trouble before the demo starts: hours before the epoch, then what happens. Each kind at least once in the last days. */
const HISTORY: readonly (readonly [hoursBefore: number, ...Entry])[] = [
  [190, 'requests', 'counter_stop', 25, 0, 'requests stopped: load balancer took web-1 out'],
  [170, 'latency', 'spike', 15, 4, 'slow responses after a cold cache'],
  [150, 'connections', 'level_shift', 420, 1.7, 'connection pool leaked after a release'],
  [128, 'pressure', 'frozen', 300, 1, 'pressure sensor repeated its last value'],
  [110, 'hitratio', 'dip', 40, 0.6, 'cache was emptied by mistake'],
  [96, 'orders', 'silence', 35, 1, 'order counter did not report'],
  [80, 'provider', 'growing_spread', 300, 7, 'payment provider became more and more unsteady'],
  [75, 'memory', 'spike', 20, 1.5, 'export job took a lot of memory'],
  [66, 'network', 'counter_stop', 20, 0, 'network card stopped receiving'],
  [58, 'errors', 'spike', 12, 8, 'error burst during a failed release'],
  [47, 'cpu', 'level_shift', 360, 1.8, 'runaway process used one core'],
  [40, 'pressure', 'frozen', 240, 1, 'pressure sensor repeated its last value'],
  [31, 'queue', 'spike', 45, 25, 'mail workers were down, messages piled up'],
  [26, 'disk', 'level_shift', 600, 1.3, 'debug log left on filled the disk'],
  [20, 'orders', 'dip', 50, 0.2, 'checkout broken for most customers'],
  [16, 'provider', 'growing_spread', 240, 6, 'payment provider became more and more unsteady'],
  [12, 'temperature', 'silence', 40, 1, 'temperature sensor was unreachable'],
  [9, 'latency', 'level_shift', 180, 2.2, 'missing index after a migration'],
  [6, 'network', 'counter_stop', 25, 0, 'network card stopped receiving'],
  [4, 'errors', 'spike', 10, 9, 'error burst during a failed release'],
  [2.5, 'signups', 'spike', 12, 150, 'wave of automated sign-ups'],
  [1.2, 'connections', 'frozen', 45, 1, 'exporter repeated its last value'],
];

/** Trouble after the start, one after the other in an order that the seed decides, over and over. */
const LIVE: readonly Entry[] = [
  ['latency', 'spike', 15, 5, 'slow responses after a cold cache'],
  ['orders', 'dip', 30, 0.2, 'checkout broken for most customers'],
  ['cpu', 'level_shift', 45, 1.8, 'runaway process used one core'],
  ['errors', 'spike', 12, 9, 'error burst during a failed release'],
  ['requests', 'counter_stop', 15, 0, 'requests stopped: load balancer took web-1 out'],
  ['pressure', 'frozen', 50, 1, 'pressure sensor repeated its last value'],
  ['queue', 'spike', 25, 25, 'mail workers were down, messages piled up'],
  ['provider', 'growing_spread', 50, 8, 'payment provider became more and more unsteady'],
  ['hitratio', 'dip', 20, 0.6, 'cache was emptied by mistake'],
  ['temperature', 'silence', 25, 1, 'temperature sensor was unreachable'],
  ['connections', 'level_shift', 50, 1.8, 'connection pool leaked after a release'],
  ['signups', 'spike', 10, 150, 'wave of automated sign-ups'],
  ['network', 'counter_stop', 20, 0, 'network card stopped receiving'],
  ['orders', 'silence', 20, 1, 'order counter did not report'],
  ['memory', 'spike', 15, 1.5, 'export job took a lot of memory'],
  ['temperature', 'level_shift', 50, 1.25, 'air conditioning failed'],
  ['latency', 'level_shift', 40, 2.2, 'missing index after a migration'],
];

/** One trouble starts in each stretch of this length, and is over before the next stretch. */
const LIVE_STRETCH_SECONDS = 90 * MINUTE;
/** The first one starts this long after the epoch, so that whoever installs sees it happen. */
const FIRST_LIVE_SECONDS = 5 * MINUTE;
/** Others start within this of their stretch's beginning. */
const LIVE_JITTER_SECONDS = 30 * MINUTE;
/** Steps through LIVE that visit every entry before any comes again: its length is prime. */
const MIN_STEP = 3;

/** The nightly job runs at 03:30 for half an hour, by the clocks of the zone; no zone changes its clocks at that time. */
const JOB_SECOND_OF_DAY = 3.5 * HOUR;
export const JOB_SECONDS = 30 * MINUTE;
/** After the missed run before the epoch, every so many nights another one is missed. */
const MISSED_EVERY_DAYS = 9;
/** The missed run lies at least this long before the epoch. */
const MISSED_BEFORE_SECONDS = 2 * HOUR;

/** When what goes wrong in the demo. A pure function of epoch, seed and zone. */
export class TroublePlan {
  private readonly history: readonly PlannedTrouble[];
  private readonly step: number;
  private readonly offset: number;
  /** Local day of the missed run before the epoch. */
  private readonly missedDay: number;

  constructor(
    private readonly epoch: number,
    private readonly seed: number,
    private readonly clock: LocalClock,
  ) {
    this.history = HISTORY.map(([hoursBefore, ...entry]) => planned(entry, toMinute(epoch - hoursBefore * HOUR)));
    this.step = MIN_STEP + Math.floor(uniform(seed, 1) * (LIVE.length - 2 * MIN_STEP));
    this.offset = Math.floor(uniform(seed, 2) * LIVE.length);
    let day = clock.dayAt(epoch);
    while (this.jobStart(day) + JOB_SECONDS > epoch - MISSED_BEFORE_SECONDS) day--;
    this.missedDay = day;
  }

  /** The trouble that a model is in at a time, if any. Missed jobs are not among them: see `isJobMissed`. */
  at(model: string, timestamp: number): PlannedTrouble | null {
    if (timestamp >= this.epoch) {
      const live = this.live(Math.floor((timestamp - this.epoch) / LIVE_STRETCH_SECONDS));
      if (live.model === model && live.from <= timestamp && timestamp < live.until) return live;
    }
    for (const trouble of this.history) {
      if (trouble.model === model && trouble.from <= timestamp && timestamp < trouble.until) return trouble;
    }
    return null;
  }

  /** Trouble of a model that overlaps [from, until), by start. */
  between(model: string, from: number, until: number): PlannedTrouble[] {
    const found = this.history.filter((trouble) => trouble.from < until && trouble.until > from);
    const first = Math.max(0, Math.floor((from - this.epoch) / LIVE_STRETCH_SECONDS));
    for (let stretch = first; this.epoch + stretch * LIVE_STRETCH_SECONDS < until; stretch++) {
      const live = this.live(stretch);
      if (live.from < until && live.until > from) found.push(live);
    }
    return found.filter((trouble) => trouble.model === model).sort((a, b) => a.from - b.from);
  }

  /** Whether the nightly job runs at a time. */
  isJobRunning(timestamp: number): boolean {
    const day = this.clock.dayAt(timestamp);
    const start = this.jobStart(day);
    return timestamp >= start && timestamp < start + JOB_SECONDS && !this.isJobMissed(day);
  }

  /** Runs of the nightly job that did not happen and would overlap [from, until). */
  missedJobs(from: number, until: number): LabelledIncident[] {
    const missed: LabelledIncident[] = [];
    for (let day = this.clock.dayAt(from); day <= this.clock.dayAt(until); day++) {
      const start = this.jobStart(day);
      if (!this.isJobMissed(day) || start >= until || start + JOB_SECONDS <= from) continue;
      missed.push({ kind: 'missed_job', from: start, until: start + JOB_SECONDS, text: 'nightly backup did not run' });
    }
    return missed;
  }

  private isJobMissed(day: number): boolean {
    return day >= this.missedDay && (day - this.missedDay) % MISSED_EVERY_DAYS === 0;
  }

  private jobStart(day: number): number {
    return this.clock.timestampOf(day, JOB_SECOND_OF_DAY);
  }

  private live(stretch: number): PlannedTrouble {
    const entry = LIVE[(stretch * this.step + this.offset) % LIVE.length]!;
    const delay = stretch === 0 ? FIRST_LIVE_SECONDS : uniform(this.seed, 100 + stretch) * LIVE_JITTER_SECONDS;
    return planned(entry, toMinute(this.epoch + stretch * LIVE_STRETCH_SECONDS + delay));
  }
}

function planned([model, kind, minutes, strength, text]: Entry, from: number): PlannedTrouble {
  return { model, kind, strength, text, from, until: from + minutes * MINUTE };
}

/** Trouble starts with a minute, as the points do. */
function toMinute(timestamp: number): number {
  return Math.ceil(timestamp / MINUTE) * MINUTE;
}
