import { type DemoTheme } from './demo-theme.js';
import { FACTORY } from './factory-theme.js';
import { seedOf } from './hash-noise.js';
import { LocalClock } from './local-clock.js';
import { SHOP } from './shop-theme.js';
import { HISTORY_SECONDS, TroublePlan } from './trouble-plan.js';
import { type DemoOptions, type DemoThemeName } from './types.js';

const HOUR = 3600;

export const THEMES: Readonly<Record<DemoThemeName, DemoTheme>> = { shop: SHOP, factory: FACTORY };

/** The parts of a demo for teaching and showing. Metrics by canonical name, times in Unix seconds. */
export interface DemoStory {
  /** Start of the history before the epoch, Unix seconds. */
  beginsAt: number;
  /** `runs` returns those within [from, until), oldest first. */
  job: { metric: string; name: string; runs: (from: number, until: number) => { from: number; until: number }[] };
  /** Trouble that affects several metrics: the metric in which it starts, and its period. */
  outage: { metric: string; from: number; until: number };
  /** A metric that is often conspicuous without a cause: the direction that matters, and why. */
  noisy: { metric: string; direction: 'up' | 'down'; why: string };
}

/**
 * The story of the series that `demoSeries` generates with the same options. Throws RangeError for an unknown time
 * zone.
 */
export function demoStory({ epoch, seed = 1, timezone = 'UTC', theme: name = 'shop' }: DemoOptions): DemoStory {
  const theme = THEMES[name];
  const plan = new TroublePlan(theme, epoch, seedOf(seed, 'plan'), new LocalClock(timezone));
  const nameOf = (key: string): string => theme.models.find((model) => model.key === key)!.name;
  const { job, outage, noisy } = theme;
  const at = epoch - outage.hoursBefore * HOUR;
  const { from, until } = plan.between(outage.model, at, at + HOUR)[0]!;
  return {
    beginsAt: epoch - HISTORY_SECONDS,
    job: { metric: nameOf(job.model), name: job.name, runs: (since, before) => plan.jobs(since, before) },
    outage: { metric: nameOf(outage.model), from, until },
    noisy: { metric: nameOf(noisy.model), direction: noisy.direction, why: noisy.why },
  };
}
