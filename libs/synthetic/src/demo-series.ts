import { CounterIntegral, type RestartBefore, restarts } from './counter.js';
import { type DemoModel, type ModelContext } from './demo-models.js';
import { THEMES } from './demo-story.js';
import { seedOf, uniform } from './hash-noise.js';
import { LocalClock } from './local-clock.js';
import { type PlannedTrouble, TroublePlan } from './trouble-plan.js';
import { type DemoOptions, type SyntheticSeries } from './types.js';

const MINUTE = 60;
const DAY = 86_400;

/** Mean interval of releases, which restart the site's software, including its memory and counters. */
const RELEASE_SECONDS = 2.7 * DAY;
/** Mean interval of restarts of the machine itself, which are less frequent. */
const REBOOT_SECONDS = 4.3 * DAY;
/** Interval before the epoch from which restarts are counted. */
const ANCHOR_SECONDS = 100 * DAY;

/** Time until a shift of the level is complete. */
const RAMP_SECONDS = 2 * MINUTE;

/**
 * Metrics of a small web shop or a factory, with everyday noise, cycles, restarts, and labelled trouble: every kind of
 * it in the ten days before `epoch`, some on the last of these days, and a new one about every 90 minutes after it.
 * Values are a pure function of (seed, series, timestamp), so any stretch can be generated at any time. Throws
 * RangeError for an unknown time zone.
 */
export function demoSeries({
  epoch,
  seed = 1,
  timezone = 'UTC',
  theme: name = 'shop',
}: DemoOptions): SyntheticSeries[] {
  const clock = new LocalClock(timezone);
  const theme = THEMES[name];
  const plan = new TroublePlan(theme, epoch, seedOf(seed, 'plan'), clock);
  const restartsOf = (name: string, periodSeconds: number): RestartBefore => {
    const restartSeed = seedOf(seed, name);
    return restarts(epoch - ANCHOR_SECONDS, periodSeconds, (index) => uniform(restartSeed, index));
  };
  const startedAt = {
    process: restartsOf('releases', RELEASE_SECONDS),
    machine: restartsOf('reboots', REBOOT_SECONDS),
  };
  return theme.models.map((model) =>
    toSeries(model, plan, {
      seed: seedOf(seed, model.name),
      clock,
      startedAt: startedAt[model.restartsWith ?? 'process'],
      isJobRunning: (timestamp) => plan.isJobRunning(timestamp),
    }),
  );
}

/** The points of a series at every full step in [from, until), as columns; slots in which it is silent are omitted. */
export function seriesColumns(
  series: SyntheticSeries,
  from: number,
  until: number,
  stepSeconds: number,
): { timestamps: Float64Array; values: Float64Array } {
  const first = Math.ceil(from / stepSeconds);
  const slots = Math.max(0, Math.ceil(until / stepSeconds) - first);
  const timestamps = new Float64Array(slots);
  const values = new Float64Array(slots);
  let count = 0;
  for (let slot = 0; slot < slots; slot++) {
    const timestamp = (first + slot) * stepSeconds;
    const value = series.valueAt(timestamp);
    if (value === null) continue;
    timestamps[count] = timestamp;
    values[count] = value;
    count++;
  }
  return { timestamps: timestamps.subarray(0, count), values: values.subarray(0, count) };
}

function toSeries(model: DemoModel, plan: TroublePlan, context: ModelContext): SyntheticSeries {
  const { key, name, unit, description, aggregation } = model;
  const measured = model.kind === 'counter' ? counterOf(model, plan, context) : gaugeOf(model, plan, context);
  return {
    name,
    type: model.kind === 'counter' ? 'counter' : 'gauge',
    unit,
    description,
    aggregation,
    valueAt: (timestamp) => (plan.at(key, timestamp)?.kind === 'silence' ? null : measured(timestamp)),
    incidents: (from, until) => {
      const incidents = plan.between(key, from, until).map(({ kind, from: start, until: end, text }) => ({
        kind,
        from: start,
        until: end,
        text,
      }));
      return plan.showsJob(key) ? [...incidents, ...plan.jobIncidents(from, until)] : incidents;
    },
  };
}

function gaugeOf(model: DemoModel, plan: TroublePlan, context: ModelContext): (timestamp: number) => number {
  const scale = 10 ** model.decimals;
  return (timestamp) => {
    const trouble = plan.at(model.key, timestamp);
    // A frozen series repeats its last value from before it froze.
    const shown = trouble?.kind === 'frozen' ? trouble.from - MINUTE : timestamp;
    const value = disturbed(model, context, shown, trouble?.kind === 'frozen' ? null : trouble);
    return Math.round(Math.min(model.max, Math.max(model.min, value)) * scale) / scale;
  };
}

function counterOf(model: DemoModel, plan: TroublePlan, context: ModelContext): (timestamp: number) => number {
  const rate = (timestamp: number): number => disturbed(model, context, timestamp, plan.at(model.key, timestamp));
  const integral = new CounterIntegral(rate, context.startedAt);
  return (timestamp) => integral.valueAt(timestamp);
}

/** Level and noise at a time, including the trouble of that time. */
function disturbed(model: DemoModel, context: ModelContext, timestamp: number, trouble: PlannedTrouble | null): number {
  const level = model.level(context, timestamp);
  if (trouble === null) return level + model.noise(context, timestamp, level);
  const { from, until, strength } = trouble;
  const part = (timestamp - from) / (until - from);
  switch (trouble.kind) {
    case 'spike':
    case 'dip': {
      // Rises and falls like half a wave with a truncated top.
      const wave = Math.min(1, 1.5 * Math.sin(Math.PI * (0.1 + 0.8 * part)));
      const changed = level * (1 + (strength - 1) * wave);
      return changed + model.noise(context, timestamp, changed);
    }
    case 'level_shift': {
      const ramp = Math.min(1, (timestamp - from + MINUTE) / RAMP_SECONDS);
      const changed = level * (1 + (strength - 1) * ramp);
      return changed + model.noise(context, timestamp, changed);
    }
    case 'growing_spread':
      return level + model.noise(context, timestamp, level) * (1 + (strength - 1) * part);
    case 'counter_stop':
      return 0;
    default:
      return level + model.noise(context, timestamp, level);
  }
}
