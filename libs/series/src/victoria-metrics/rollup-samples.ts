import { decodeSlots, encodeSlots } from '../codec/rollup-block.js';
import { type RollupSlots } from '../rollup/rollup-slots.js';
import { roughSample } from './exact-values.js';
import { type SeriesName } from './series-name.js';
import { type ExportedLine, type SampleLine } from './vm-client.js';

/** Series of encoded roll-ups. */
export const ROLLUP_NAME = 'plumbline_rollup';
/** A label of the series with the averages of roll-ups, which MetricsQL finds under the name of the metric. */
export const ROLLUP_LABEL = 'plumbline_rollup';

const DAY = 86_400;
/** Integers that any block of samples represents exactly, also next to each other. */
const BYTES_PER_SAMPLE = 6;
/** Bytes, slots, and seconds from the start of the day to the first of them. */
const HEADER_SAMPLES = 3;
/** Milliseconds of the day that one version occupies; a later version has later ones. */
const VERSION_MS = 100_000;
export const MAX_VERSIONS = (DAY * 1000) / VERSION_MS;

/** A day of roll-ups of a series, and which version of it. */
export interface RollupDay {
  version: number;
  slots: RollupSlots;
}

/** @param version larger than the stored versions of the day */
export function rollupLines(
  days: readonly RollupDay[],
  labels: { id: Record<string, string>; own: SeriesName['labels']; name: string },
): SampleLine[] {
  const block: SampleLine = { metric: { __name__: ROLLUP_NAME, ...labels.id }, timestamps: [], values: [] };
  const means: SampleLine = {
    metric: { ...labels.own, __name__: labels.name, ...labels.id, [ROLLUP_LABEL]: 'mean' },
    timestamps: [],
    values: [],
  };
  for (const { version, slots } of days) {
    const first = slots.starts[0]!;
    const day = first - (first % DAY);
    const bytes = Buffer.from(encodeSlots(slots));
    const padded = Buffer.concat([bytes], Math.ceil(bytes.length / BYTES_PER_SAMPLE) * BYTES_PER_SAMPLE);
    const numbers = [bytes.length, slots.starts.length, first - day];
    for (let at = 0; at < padded.length; at += BYTES_PER_SAMPLE) numbers.push(padded.readUIntLE(at, BYTES_PER_SAMPLE));
    for (const [n, number] of numbers.entries()) {
      block.timestamps.push(day * 1000 + version * VERSION_MS + n);
      block.values.push(number);
    }
    for (const [slot, start] of slots.starts.entries()) {
      means.timestamps.push(start * 1000);
      means.values.push(roughSample(slots.sums[slot]! / slots.counts[slot]!));
    }
  }
  return [block, means];
}

/** The newest version of each day, oldest day first. Days that are not complete are omitted. */
export function rollupDaysOf(lines: readonly ExportedLine[]): RollupDay[] {
  const samples = new Map<number, number>();
  for (const { timestamps, values } of lines) {
    for (const [i, timestamp] of timestamps.entries()) samples.set(timestamp, Number(values[i]));
  }
  const days = new Map<number, RollupDay>();
  for (const at of [...samples.keys()].filter((timestamp) => timestamp % VERSION_MS === 0).sort((a, b) => a - b)) {
    const day = Math.floor(at / 1000 / DAY) * DAY;
    const slots = slotsAt(samples, at, day);
    if (slots) days.set(day, { version: (at - day * 1000) / VERSION_MS, slots });
  }
  return [...days.values()];
}

function slotsAt(samples: ReadonlyMap<number, number>, at: number, day: number): RollupSlots | null {
  const [length, count, offset] = [0, 1, 2].map((n) => samples.get(at + n));
  if (length === undefined || count === undefined || offset === undefined) return null;
  const bytes = Buffer.alloc(Math.ceil(length / BYTES_PER_SAMPLE) * BYTES_PER_SAMPLE);
  for (let n = 0; n * BYTES_PER_SAMPLE < length; n++) {
    const number = samples.get(at + HEADER_SAMPLES + n);
    if (number === undefined) return null;
    bytes.writeUIntLE(number, n * BYTES_PER_SAMPLE, BYTES_PER_SAMPLE);
  }
  return decodeSlots(bytes.subarray(0, length), count, day + offset);
}
