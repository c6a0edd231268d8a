import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { gatesOf } from './series/anomaly/gates.js';
import { F, HOUR_ERRORS_AT, P } from './series/record/layout.js';
import { noteInterval } from './series/points/pace.js';
import { createRecord } from './series/reset-record.js';
import { SeriesDetector } from './series/series-detector.js';
import { sizeAt } from './series/record/size-cells.js';
import { ZoneClock } from './series/points/zone-clock.js';
import { type AnomalyEvent } from './types.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const HEADING = '### Worked example: three verdicts';
const DAY = 86_400;

/** The rows that the page explains, by the time in docs/examples/latency.csv. */
const TIMES = ['2026-01-07T22:00Z', '2026-01-14T15:00Z', '2026-01-03T12:50Z'];

/** The documented state before one row, and its verdict. */
interface Verdict {
  value: number;
  row: number;
  expected: number;
  /** Lowest of the three ten-minute buckets of the day around this time. */
  dayLow: number;
  distance: number;
  size99: number;
  size90: number;
  /** The size that one row in 1,000 exceeds, divided by the size that one in 100 exceeds. */
  tail: number;
  /** The usual error at this time of day, divided by that of all hours. */
  hour: number;
  limit: number;
  evidence: number;
  /** The level that evidence exceeds twice a day. */
  level: number;
  overBar: number;
  alarm: number;
}

/** The last event of an anomaly, and figures of its severity. */
interface Ending {
  event: AnomalyEvent;
  widths: number;
  daysApart: number;
}

/** Four digits, as in the page. */
const short = (value: number): string => String(Number(value.toPrecision(4)));

async function readRows(): Promise<{ time: string; timestamp: number; value: number }[]> {
  const text = await readFile(resolve(ROOT, 'docs/examples/latency.csv'), 'utf8');
  const lines = text.trim().split('\n').slice(1);
  return lines.map((line) => {
    const [time, value] = line.split(',');
    return { time: time!, timestamp: Date.parse(time!) / 1000, value: Number(value) };
  });
}

/** Runs the detector over the file as `plumbline detect` does, and records its state at the documented rows. */
async function follow(): Promise<{ verdicts: Map<string, Verdict>; endings: Ending[] }> {
  const record = createRecord();
  const { f, p } = record;
  const endings: Ending[] = [];
  const detector = new SeriesDetector((event) => {
    if (event.type === 'closed') endings.push({ event, widths: p[P.peakWidths]!, daysApart: p[P.daysApart]! });
  });
  const terms = { clock: new ZoneClock('UTC'), sensitivity: 1, gates: gatesOf({}) };
  const verdicts = new Map<string, Verdict>();
  for (const { time, timestamp, value } of await readRows()) {
    if (f[F.count]! > 0) noteInterval(record, timestamp - f[F.newestPoint]!);
    f[F.newestPoint] = f[F.newestSlot] = timestamp;
    const [size99, size90, errorMean, level] = [p[P.size99]!, p[P.size90]!, p[P.errorMean]!, p[P.chanceLevel]!];
    const tail = p[P.tail]!;
    const hours = Array.from({ length: 24 }, (_, hour) => sizeAt(record, HOUR_ERRORS_AT + hour));
    detector.score(record, terms, timestamp, value, 0, true);
    if (!TIMES.includes(time)) continue;
    const { forecasters, sizes } = detector.judge;
    const inHours = (timestamp % DAY) / 3600 - 0.5;
    const part = inHours - Math.floor(inHours);
    const hour = ((1 - part) * hours[Math.floor(inHours)]! + part * hours[Math.ceil(inHours)]!) / errorMean;
    verdicts.set(time, {
      ...{ value, row: f[F.count]!, size99, size90, tail, hour, level, limit: sizes.limit, evidence: sizes.largest },
      expected: forecasters.forecasts[forecasters.best]! + f[F.origin]!,
      dayLow: detector.season.dailyLow + f[F.origin]!,
      distance: sizes.isMissed ? forecasters.missed : forecasters.residual,
      overBar: detector.judge.evidence,
      alarm: detector.verdict.alarm,
    });
  }
  return { verdicts, endings };
}

/** Cells of the line of the table after the heading that begins with `name`. */
function cellsOf(page: string, name: string): string[] {
  const part = page.slice(page.indexOf(HEADING));
  const line = part.split('\n').find((one) => one.startsWith(`| ${name} |`));
  return (line ?? '')
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());
}

/** The numbers in a text, in their order. */
const numbersOf = (text: string): string[] => text.match(/-?\d[\d,]*(\.\d+)?/g) ?? [];

describe('the worked example in docs/detection-details.md', () => {
  let page: string;
  let verdicts: Verdict[];
  let endings: Ending[];

  beforeAll(async () => {
    page = await readFile(resolve(ROOT, 'docs/detection-details.md'), 'utf8');
    const followed = await follow();
    verdicts = TIMES.map((time) => followed.verdicts.get(time)!);
    endings = followed.endings;
  });

  const row = (name: string, numbers: (verdict: Verdict) => readonly number[]): void => {
    expect(cellsOf(page, name).map(numbersOf)).toEqual(verdicts.map((verdict) => numbers(verdict).map(short)));
  };

  /** q of the page. */
  const usual = ({ row: n, size99, size90 }: Verdict): number =>
    (n * size99 + 3000 * Math.max(1.57 * size90, size99 / 2)) / (n + 3000);
  const factor = ({ row: n }: Verdict): number =>
    (4.31 * (1 + 90 / n) * Math.log(288 / 0.002)) / Math.log(1440 / 0.002);

  /** t of the page: how far one size in 1,000 is beyond one in 100. */
  const tailOf = ({ row: n, size99, size90, tail }: Verdict): number => {
    const light = (n / (n + 3000)) * Math.max(0, Math.min(1, (1.7 - size99 / size90) / 0.15));
    const known = n / (n + 4000);
    return (1 - known) * (1.5 - 0.22 * light) + known * tail;
  };
  /** l of the page: the factor of the tail, relative to an exponential one. */
  const ofTail = (verdict: Verdict): number => {
    const tail = tailOf(verdict);
    const growth = Math.max(0.8, Math.min(2.2, tail / 1.5));
    const powers = Math.log10(0.01 * 400 * 288);
    const reach = (growth ** powers - 1) / (growth - 1);
    const harder = Math.log(288 / 0.002) / Math.log(1440 / 0.002);
    return Math.max(0.93, (1 + (tail - 1) * reach) / (0.67 * 4.31 * harder));
  };

  it('states the values, and what the detector had learnt before them', () => {
    row('value, row `n`', ({ value, row: n }) => [value, n]);
    row('the last rows expect', ({ expected }) => [expected]);
    row('the day expects at least', ({ dayLow }) => [dayLow]);
    row('distance `d`', ({ distance }) => [Math.abs(distance)]);
    row('q99, q90', ({ size99, size90 }) => [size99, size90]);
  });

  it('states each factor of the limit, whose product is the limit of the detector', () => {
    row('`q`', (verdict) => [usual(verdict)]);
    row('4.31 × (1 + 90 / `n`) × `h`', (verdict) => [factor(verdict)]);
    row('`t`', (verdict) => [tailOf(verdict)]);
    row('`l`', (verdict) => [ofTail(verdict)]);
    row('`s`', ({ hour }) => [hour, hour ** 0.75]);
    row('limit', ({ limit }) => [limit]);
    for (const verdict of verdicts) {
      expect(factor(verdict) * usual(verdict) * ofTail(verdict) * verdict.hour ** 0.75).toBeCloseTo(verdict.limit, 5);
    }
  });

  it('states the evidence, which is the distance divided by the limit', () => {
    row('evidence `d` / limit', ({ evidence }) => [evidence]);
    for (const { distance, limit, evidence } of verdicts) expect(Math.abs(distance) / limit).toBeCloseTo(evidence, 4);
  });

  it('states the bar', () => {
    const unrest = ({ level, size99, size90 }: Verdict): number =>
      level * (1.8 + 0.2 * Math.max(0, Math.min(1, (size99 / size90 - 1.7) / 0.15)));
    row('`u`', ({ level }) => [level]);
    row('bar: the larger of', (verdict) => [0.67, unrest(verdict)]);
    for (const verdict of verdicts) {
      expect(verdict.evidence / Math.max(0.67, unrest(verdict))).toBeCloseTo(verdict.overBar, 6);
    }
  });

  it('states the verdict', () => {
    row('evidence / bar, `alarm`', ({ overBar, alarm }) => [overBar, alarm]);
    expect(cellsOf(page, 'verdict').map((cell) => cell.split(':')[0])).toEqual(['opens', 'opens', 'nothing']);
    expect(verdicts.map(({ overBar }) => overBar >= 1)).toEqual([true, true, false]);
    expect(endings.map(({ event }) => event.startTimestamp * 1000)).toEqual(TIMES.slice(0, 2).map(Date.parse));
  });

  it('states kind, severity and rarity of the two anomalies', () => {
    expect(cellsOf(page, 'final kind').slice(0, 2)).toEqual(endings.map(({ event }) => `\`${event.kind}\``));
    const ended = (name: string, numbers: (ending: Ending) => readonly number[]): void => {
      const cells = cellsOf(page, name).slice(0, 2);
      expect(cells.map(numbersOf)).toEqual(endings.map((ending) => numbers(ending).map(short)));
    };
    const lasted = ({ event }: Ending): number => event.endTimestamp! - event.startTimestamp;
    const parts = (ending: Ending): [number, number, number, number] => [
      20 * 2 * (ending.event.score - 0.5),
      35 * (1 - Math.exp(-ending.widths / 3)),
      20 * (1 - Math.exp(-lasted(ending) / 3600)),
      25 * (1 - Math.exp(-ending.daysApart / 7)),
    ];
    ended('certainty', (ending) => [parts(ending)[0]]);
    ended('size: half widths outside the range', (ending) => [ending.widths, parts(ending)[1]]);
    ended('duration: seconds', (ending) => [lasted(ending), parts(ending)[2]]);
    ended('spacing: days between anomalies', (ending) => [ending.daysApart, parts(ending)[3]]);
    const again = (ending: Ending): number =>
      ending.event.rarityDays! * (1 + ending.widths) * (1 + lasted(ending) / 3600);
    ended('recurrence in days', (ending) => [again(ending)]);
    ended('severity', ({ event }) => [event.severity]);
    ended('rarity in days', ({ event }) => [event.rarityDays!]);
    for (const ending of endings) {
      const sum = parts(ending).reduce((total, part) => total + part);
      expect(again(ending)).toBeLessThan(365);
      expect(Math.round(Math.min(sum, 74))).toBe(ending.event.severity);
    }
  });
});
