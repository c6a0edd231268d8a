import { type LabelPair } from '#libs/protocols';
import { SourceFailure } from './driver.errors.js';
import { type AnswerLimits, type FoundSeries, type ReadWindow } from './driver.types.js';

const grouped = (count: number): string => count.toLocaleString('en-GB');

/** Longer texts of a source are not quoted in messages. */
const MAX_QUOTED = 300;

/** Text of a source for messages: one line, limited in length. */
export function quoted(text: string): string {
  const line = text
    .slice(0, 4 * MAX_QUOTED)
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
}

/**
 * Collects the series of an answer within its limits; points outside the window and points without a finite value are
 * omitted.
 */
export class AnswerCollector {
  readonly series: FoundSeries[] = [];
  private found = 0;
  private points = 0;

  /** @param side which end of the window belongs to it: `until` of a query that samples instants, `from` of one that names slots by their beginning */
  constructor(
    private readonly window: ReadWindow,
    private readonly limits: AnswerLimits,
    private readonly side: 'from' | 'until' = 'until',
  ) {}

  /** Call it before the series are created. @throws SourceFailure */
  expectSeries(count: number): void {
    const { maxSeries } = this.limits;
    if (count <= maxSeries) return;
    throw new SourceFailure(
      'too_many_series',
      `the query gives ${grouped(count)} series, and max_series is ${grouped(maxSeries)}: let it select less, or raise max_series`,
    );
  }

  /** `points` in any order; of several points with the same time the last one counts. @throws SourceFailure */
  add(name: string | null, labels: readonly LabelPair[], points: Iterable<readonly [number, number]>): void {
    this.expectSeries(++this.found);
    const byTime = new Map<number, number>();
    let isRising = true;
    let newest = -Infinity;
    for (const [timestamp, value] of points) {
      if (++this.points > this.limits.maxPoints) {
        throw new SourceFailure('too_large', `the answer holds more than ${grouped(this.limits.maxPoints)} points`);
      }
      if (!this.isWithin(timestamp) || !Number.isFinite(value)) continue;
      if (timestamp < newest) isRising = false;
      newest = timestamp;
      byTime.set(timestamp, value);
    }
    if (byTime.size === 0) return;
    const rising = isRising ? [...byTime] : [...byTime].sort(([one], [other]) => one - other);
    this.series.push({
      name,
      labels,
      timestamps: rising.map(([timestamp]) => timestamp),
      values: rising.map(([, value]) => value),
    });
  }

  private isWithin(timestamp: number): boolean {
    const { from, until } = this.window;
    return this.side === 'until' ? timestamp > from && timestamp <= until : timestamp >= from && timestamp < until;
  }
}

/** The member of an object parsed from JSON; undefined if absent. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** @throws SourceFailure */
export function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    throw new SourceFailure('refused', 'the answer is not JSON: check that the address is that of the right service');
  }
}
