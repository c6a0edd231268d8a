import { type Candidate } from './likeness.js';
import { contextStep, contextWindow, cutShape, LEAD_SLOTS, prepare, type PreparedShape } from './shape.js';
import { part, type Stretch, stretchOf } from './stretch.js';

const DAY = 86_400;
const MINUTE = 60;
/** A midnight in UTC. */
export const MIDNIGHT = 1_759_968_000;

/** Seeded noise of deviation 1. */
export function normal(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 1) / 4_294_967_297;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Minutes from this many days before MIDNIGHT on: `value(minute of the day, day)` plus noise. */
export function minutes(
  days: number,
  value: (minute: number, day: number) => number,
  { noise = 2, seed = 1 }: { noise?: number; seed?: number } = {},
): Stretch {
  const random = normal(seed);
  const values = Float32Array.from({ length: days * 1440 }, (_, slot) => {
    return value(slot % 1440, Math.floor(slot / 1440)) + noise * random();
  });
  return { start: MIDNIGHT - days * DAY, step: MINUTE, values };
}

/** Unix seconds of a minute of one of the days of `minutes`. */
export const at = (series: Stretch, day: number, minute: number): number => series.start + day * DAY + minute * MINUTE;

export function contextOf(series: Stretch, start: number, duration: number, around = 0): Stretch {
  const bin = contextStep(duration, series.step);
  const { from, until } = contextWindow(start, duration, bin);
  const rows = Array.from(part(series, from - around * bin, until + around * bin), (value, slot) => {
    return [from - around * bin + slot * series.step, value] as [number, number];
  });
  return stretchOf(rows, from - around * bin, until + around * bin - 1, bin);
}

export function shapeOf(series: Stretch, start: number, end: number, duration = DAY): PreparedShape {
  return prepare(cutShape(duration, { start, end }, { fine: series, context: contextOf(series, start, duration) }));
}

export function candidateOf(
  series: Stretch,
  start: number,
  { end = null, newest, duration = DAY }: { end?: number | null; newest: number; duration?: number },
): Candidate {
  const context = contextOf(series, start, duration, 2);
  const from = start - 4 * LEAD_SLOTS * series.step - 2 * DAY;
  const first = Math.max(series.start, from);
  return {
    start,
    end,
    newest,
    fine: { start: first, step: series.step, values: part(series, first, newest + series.step) },
    contexts: new Map([[duration, context]]),
  };
}
