import { uniform } from './hash-noise.js';
import { type DemoTheme, type TroubleEntry } from './demo-theme.js';
import { type LocalClock } from './local-clock.js';
import { type LabelledIncident } from './types.js';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Trouble of one series, with its effect on the values. */
export interface PlannedTrouble extends LabelledIncident {
  /** Key of the affected model. */
  model: string;
  /** For a spike, dip or level shift: the factor of the level. For a growing spread: the final factor of the noise. */
  strength: number;
}

/** Length of the stretches in which live trouble is planned: one trouble starts in each, and ends before the next. */
const LIVE_STRETCH_SECONDS = 90 * MINUTE;
/** Delay of the first live trouble after the epoch, so that it happens while the installer watches. */
const FIRST_LIVE_SECONDS = 5 * MINUTE;
/** Maximum delay of other live trouble after the start of its stretch. */
const LIVE_JITTER_SECONDS = 30 * MINUTE;
/**
 * Minimum step through the live trouble. Any step visits every entry before one is repeated, because the length is
 * prime.
 */
const MIN_STEP = 3;

/** Length of the history before the epoch. */
export const HISTORY_SECONDS = 10 * DAY;
/**
 * The nightly job is set up a day after the start of the history: its first nights are unusual, the more so the less
 * history precedes them.
 */
const JOBS_AFTER_SECONDS = DAY;
/** The nightly job runs at 03:30 local time for half an hour; no zone changes its clocks at that time. */
const JOB_SECOND_OF_DAY = 3.5 * HOUR;
const JOB_SECONDS = 30 * MINUTE;
/** Interval of missed runs, after the missed run before the epoch. */
const MISSED_EVERY_DAYS = 9;
/** Minimum distance between the missed run and the epoch. */
const MISSED_BEFORE_SECONDS = 2 * HOUR;

/** The trouble of the demo and its times. A pure function of theme, epoch, seed and zone. */
export class TroublePlan {
  private readonly history: readonly PlannedTrouble[];
  private readonly step: number;
  private readonly offset: number;
  /** Local days of the first run of the nightly job, and of the missed run before the epoch. */
  private readonly firstJobDay: number;
  private readonly missedDay: number;

  constructor(
    private readonly theme: DemoTheme,
    private readonly epoch: number,
    private readonly seed: number,
    private readonly clock: LocalClock,
  ) {
    this.history = theme.history.map(([hoursBefore, ...entry]) => planned(entry, toMinute(epoch - hoursBefore * HOUR)));
    this.step = MIN_STEP + Math.floor(uniform(seed, 1) * (theme.live.length - 2 * MIN_STEP));
    this.offset = Math.floor(uniform(seed, 2) * theme.live.length);
    let day = clock.dayAt(epoch);
    while (this.jobStart(day) + JOB_SECONDS > epoch - MISSED_BEFORE_SECONDS) day--;
    this.missedDay = day;
    while (this.jobStart(day - 1) >= epoch - HISTORY_SECONDS + JOBS_AFTER_SECONDS) day--;
    this.firstJobDay = day;
  }

  /** The trouble of a model at a time, if any, except that of the nightly job: see `jobIncidents`. */
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

  /** True if the nightly job is visible in a model. */
  showsJob(model: string): boolean {
    return this.theme.job.model === model;
  }

  /** True if the nightly job is running at a time. */
  isJobRunning(timestamp: number): boolean {
    const day = this.clock.dayAt(timestamp);
    const start = this.jobStart(day);
    return timestamp >= start && timestamp < start + JOB_SECONDS && this.hasJob(day);
  }

  /** Runs of the nightly job within [from, until), oldest first; Unix seconds. */
  jobs(from: number, until: number): { from: number; until: number }[] {
    const runs: { from: number; until: number }[] = [];
    for (let day = this.clock.dayAt(from); day <= this.clock.dayAt(until); day++) {
      const start = this.jobStart(day);
      if (!this.hasJob(day) || start < from || start + JOB_SECONDS > until) continue;
      runs.push({ from: start, until: start + JOB_SECONDS });
    }
    return runs;
  }

  /** The first run of the nightly job, and missed runs, if they (would) overlap [from, until). */
  jobIncidents(from: number, until: number): LabelledIncident[] {
    const { isNew, missed } = this.theme.job;
    const incidents: LabelledIncident[] = [];
    for (let day = this.clock.dayAt(from); day <= this.clock.dayAt(until); day++) {
      const start = this.jobStart(day);
      if (start >= until || start + JOB_SECONDS <= from) continue;
      const times = { from: start, until: start + JOB_SECONDS };
      if (day === this.firstJobDay) incidents.push({ ...times, kind: 'new_job', text: isNew });
      else if (this.isJobMissed(day)) incidents.push({ ...times, kind: 'missed_job', text: missed });
    }
    return incidents;
  }

  private hasJob(day: number): boolean {
    return day >= this.firstJobDay && !this.isJobMissed(day);
  }

  private isJobMissed(day: number): boolean {
    return day >= this.missedDay && (day - this.missedDay) % MISSED_EVERY_DAYS === 0;
  }

  private jobStart(day: number): number {
    return this.clock.timestampOf(day, JOB_SECOND_OF_DAY);
  }

  private live(stretch: number): PlannedTrouble {
    const { live } = this.theme;
    const entry = live[(stretch * this.step + this.offset) % live.length]!;
    const delay = stretch === 0 ? FIRST_LIVE_SECONDS : uniform(this.seed, 100 + stretch) * LIVE_JITTER_SECONDS;
    return planned(entry, toMinute(this.epoch + stretch * LIVE_STRETCH_SECONDS + delay));
  }
}

function planned([model, kind, minutes, strength, text]: TroubleEntry, from: number): PlannedTrouble {
  return { model, kind, strength, text, from, until: from + minutes * MINUTE };
}

/** Trouble starts at a full minute, like the points. */
function toMinute(timestamp: number): number {
  return Math.ceil(timestamp / MINUTE) * MINUTE;
}
