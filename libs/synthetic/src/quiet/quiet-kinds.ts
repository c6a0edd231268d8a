import { type Draw } from './draw.js';

const { cos, exp, floor, max, min, PI, sin } = Math;

/**
 * Ordinary operational series without events: a detector should be silent on them. Each kind is drawn again for each
 * seed (size, phase, noise, times of jobs), so that no constant fits one of them by chance.
 */

/** Value at a minute since the start, called in ascending order. The start is 00:00 on a Wednesday. */
export type MinuteModel = (minute: number) => number;

const HOUR = 60;
const DAY = 1440;
/** Day of the week at the start; Monday is 0. */
const FIRST_WEEKDAY = 2;

function timeOfDay(minute: number): number {
  return minute % DAY;
}

function isWeekend(minute: number): boolean {
  return (floor(minute / DAY) + FIRST_WEEKDAY) % 7 >= 5;
}

/** A daily curve around 1: one wave, and a second one of half its length. */
export function dayCurve(draw: Draw): MinuteModel {
  const amplitude = draw.uniform(0.2, 0.6);
  const second = draw.uniform(0, 0.2);
  const phase = draw.uniform(0, 2 * PI);
  const secondPhase = draw.uniform(0, 2 * PI);
  return (minute) => {
    const angle = (2 * PI * minute) / DAY;
    return 1 + amplitude * sin(angle + phase) + second * sin(2 * angle + secondPhase);
  };
}

/** First-order autoregressive noise with standard deviation 1. */
function memoryNoise(draw: Draw, memory: number): () => number {
  const fresh = Math.sqrt(1 - memory * memory);
  let value = draw.normal();
  return () => (value = memory * value + fresh * draw.normal());
}

function daily(draw: Draw): MinuteModel {
  const level = 10 ** draw.uniform(0, 4);
  const curve = dayCurve(draw);
  const noise = draw.uniform(0.02, 0.08);
  return (minute) => level * (curve(minute) + noise * draw.normal());
}

function weekly(draw: Draw): MinuteModel {
  const level = 10 ** draw.uniform(1, 4);
  const curve = dayCurve(draw);
  const weekend = draw.uniform(0.2, 0.6);
  const noise = draw.uniform(0.02, 0.06);
  return (minute) => level * curve(minute) * (isWeekend(minute) ? weekend : 1) * (1 + noise * draw.normal());
}

function counts(draw: Draw): MinuteModel {
  const level = draw.uniform(5, 80);
  const curve = dayCurve(draw);
  return (minute) => draw.poisson(level * curve(minute));
}

function latency(draw: Draw): MinuteModel {
  const level = draw.uniform(5, 300);
  const load = dayCurve(draw);
  const slow = memoryNoise(draw, 0.9);
  return (minute) => level * exp(0.2 * (load(minute) - 1) + 0.08 * slow() + 0.12 * draw.normal());
}

function heavyLatency(draw: Draw): MinuteModel {
  const level = draw.uniform(50, 800);
  const often = draw.uniform(0.01, 0.05);
  return () => level * exp(0.25 * draw.normal()) * (draw.isTrue(often) ? draw.pareto(2.5) : 1);
}

function queue(draw: Draw): MinuteModel {
  const curve = dayCurve(draw);
  const load = draw.uniform(0.75, 0.9);
  let waiting = 0;
  return (minute) => {
    const arrivals = draw.poisson(30 * load * min(1.1, curve(minute)));
    waiting = max(0, waiting + arrivals - draw.poisson(32));
    return waiting;
  };
}

/** Height of a job that runs once a day; its start varies by up to 15 minutes in either direction. */
function nightlyJob(draw: Draw): MinuteModel {
  const height = draw.uniform(20, 80);
  const usualStart = draw.whole(30, 300);
  const usualLength = draw.whole(20, 60);
  let start = 0;
  let length = 0;
  return (minute) => {
    if (timeOfDay(minute) === 0) {
      start = usualStart + draw.whole(-15, 15);
      length = usualLength + draw.whole(-3, 3);
    }
    const since = timeOfDay(minute) - start;
    return 10 + draw.normal() + (since >= 0 && since < length ? height + 2 * draw.normal() : 0);
  };
}

function hourlyJob(draw: Draw): MinuteModel {
  const height = draw.uniform(20, 60);
  const at = draw.whole(0, 50);
  let start = 0;
  let length = 0;
  return (minute) => {
    if (minute % HOUR === 0) {
      start = at + draw.whole(0, 1);
      length = draw.whole(3, 5);
    }
    const since = (minute % HOUR) - start;
    return 15 + 1.5 * draw.normal() + (since >= 0 && since < length ? height + 3 * draw.normal() : 0);
  };
}

function leakDailyRestart(draw: Draw): MinuteModel {
  const restart = draw.whole(120, 300);
  const floorLevel = draw.uniform(200, 400);
  const perMinute = draw.uniform(0.1, 0.5);
  return (minute) => floorLevel + perMinute * ((minute - restart + DAY) % DAY) + 4 * draw.normal();
}

/** Deployments on working days between 09:00 and 17:00, on two of three days. */
function leakDeploys(draw: Draw): MinuteModel {
  const floorLevel = draw.uniform(200, 400);
  const perMinute = draw.uniform(0.05, 0.3);
  let since = draw.whole(0, DAY);
  let deploy = -1;
  return (minute) => {
    if (timeOfDay(minute) === 0) {
      deploy = !isWeekend(minute) && draw.isTrue(0.67) ? draw.whole(9 * HOUR, 17 * HOUR) : -1;
    }
    since = timeOfDay(minute) === deploy ? 0 : since + 1;
    return floorLevel + perMinute * since + 4 * draw.normal();
  };
}

function collectorSaw(draw: Draw): MinuteModel {
  const low = draw.uniform(100, 300);
  const height = draw.uniform(150, 500);
  const period = draw.uniform(15, 90);
  let value = low;
  let top = low + height;
  return () => {
    value += (height / period) * draw.uniform(0.6, 1.4);
    if (value > top) {
      value = low * draw.uniform(0.95, 1.1);
      top = low + height * draw.uniform(0.9, 1.1);
    }
    return value;
  };
}

function burstyProcessor(draw: Draw): MinuteModel {
  const base = draw.uniform(5, 20);
  const perDay = draw.uniform(4, 14);
  let left = 0;
  let height = 0;
  return () => {
    if (left > 0) left--;
    else if (draw.isTrue(perDay / DAY)) {
      left = draw.whole(3, 25);
      height = draw.uniform(30, 70);
    }
    return min(100, max(0, base + 2 * draw.normal() + (left > 0 ? height + 5 * draw.normal() : 0)));
  };
}

function sparseErrors(draw: Draw): MinuteModel {
  const perHour = draw.uniform(0.3, 3);
  return () => (draw.isTrue(perHour / HOUR) ? 1 + draw.poisson(0.6) : 0);
}

function walk(draw: Draw): MinuteModel {
  const noise = memoryNoise(draw, 0.999);
  const level = draw.uniform(100, 1000);
  return () => level * (1 + 0.1 * noise() + 0.002 * draw.normal());
}

function disk(draw: Draw): MinuteModel {
  const perDay = draw.uniform(0.5, 3);
  const cleanEvery = draw.whole(5, 9) * DAY + draw.whole(0, DAY);
  let used = draw.uniform(30, 50);
  return (minute) => {
    used += (perDay / DAY) * draw.uniform(0, 2);
    if (minute % cleanEvery === cleanEvery - 1) used -= perDay * draw.uniform(3, 6);
    return used + 0.01 * draw.normal();
  };
}

function temperature(draw: Draw): MinuteModel {
  const level = draw.uniform(18, 60);
  const swing = draw.uniform(1, 5);
  const phase = draw.uniform(0, 2 * PI);
  const weather = memoryNoise(draw, 0.9995);
  return (minute) =>
    Math.round(10 * (level + swing * cos((2 * PI * minute) / DAY + phase) + weather() + 0.1 * draw.normal())) / 10;
}

function connections(draw: Draw): MinuteModel {
  const usual = draw.whole(8, 40);
  let open = usual;
  return () => {
    const pull = (usual - open) / usual;
    if (draw.isTrue(0.3)) open += draw.isTrue(0.5 + 0.3 * pull) ? 1 : -1;
    return max(0, open);
  };
}

function hitRatio(draw: Draw): MinuteModel {
  const level = draw.uniform(0.9, 0.98);
  const slow = memoryNoise(draw, 0.95);
  return () => {
    const requests = 2000;
    const misses = draw.poisson(requests * (1 - level) * exp(0.1 * slow()));
    return 1 - min(requests, misses) / requests;
  };
}

function network(draw: Draw): MinuteModel {
  const level = 10 ** draw.uniform(5, 8);
  const curve = dayCurve(draw);
  const slow = memoryNoise(draw, 0.97);
  return (minute) => level * curve(minute) * exp(0.1 * slow() + 0.15 * draw.normal());
}

/** The kinds, by name. */
export const QUIET_KINDS = {
  daily,
  weekly,
  counts,
  latency,
  heavy_latency: heavyLatency,
  queue,
  nightly_job: nightlyJob,
  hourly_job: hourlyJob,
  leak_daily_restart: leakDailyRestart,
  leak_deploys: leakDeploys,
  collector_saw: collectorSaw,
  bursty_processor: burstyProcessor,
  sparse_errors: sparseErrors,
  walk,
  disk,
  temperature,
  connections,
  hit_ratio: hitRatio,
  network,
} as const satisfies Record<string, (draw: Draw) => MinuteModel>;

export type QuietKind = keyof typeof QUIET_KINDS;
export const QUIET_KIND_NAMES = Object.keys(QUIET_KINDS) as QuietKind[];
