import { dailySine, DAY, during, type Generator, series, START, white } from '#libs/detection/testing';
import { atLeast, type Cell, cell, type Scene, scene, yes } from '../cell.js';
import { watch, type Watched } from '../watched.js';

/** Day and minutes of the trouble. */
const DAY_OF_TROUBLE = 7.1;
const MINUTES = 300;
const TROUBLE = START + Math.round(DAY_OF_TROUBLE * 1440) * 60;

/** The same series with five hours of trouble, and without it. */
interface Twins {
  anomalous: Watched;
  calm: Watched;
}

/**
 * The expected range over some hours equals that of the calm twin: its middle within half a sigma, its width within a
 * quarter.
 */
function sameRange(name: string, from: number, hours: number): Cell<Twins> {
  return cell(name, atLeast(0.99), ({ anomalous, calm }) => {
    const first = (from - START) / 60;
    const rows = Array.from({ length: hours * 60 }, (_, i) => first + i);
    const mean = (of: (row: number) => number): number => rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
    const shift = mean((row) => Math.abs(anomalous.verdicts.yhat[row]! - calm.verdicts.yhat[row]!));
    const width = ({ verdicts }: Watched): number => mean((row) => verdicts.upper[row]! - verdicts.lower[row]!);
    const ratio = width(anomalous) / width(calm);
    if (!(shift <= 0.5)) return yes(false, 'another middle');
    return yes(ratio >= 0.75 && ratio <= 1.25, ratio > 1 ? 'wider' : 'narrower');
  });
}

function twins(name: string, make: (seed: number) => Generator, size: number): Scene {
  return scene(name, (seed): Twins => ({
    calm: watch(series(9, 60, make(seed))),
    anomalous: watch(
      series(
        9,
        60,
        during(make(seed), DAY_OF_TROUBLE, MINUTES, (x) => x + size),
      ),
    ),
  })).with([
    cell('the expected value does not follow while it lasts', atLeast(0.99), ({ anomalous, calm }) => {
      const row = (TROUBLE - START) / 60 + MINUTES - 1;
      // Before the trouble, the forecast also used the last points: a difference of up to one sigma does not count as
      // following.
      return yes(Math.abs(anomalous.verdicts.yhat[row]! - calm.verdicts.yhat[row]!) <= 1.5, 'follows');
    }),
    sameRange('the expected range after half an hour is as without it', TROUBLE + (MINUTES + 30) * 60, 5),
    sameRange('and at the same time of the next day', TROUBLE + DAY, 5),
  ]);
}

export const frozenBaseline: readonly Scene[] = [
  twins('five hours of +40 sigma in white noise', white, 40),
  twins('five hours of -15 sigma in white noise', white, -15),
  twins('five hours of +40 sigma in a daily sine', dailySine, 40),
  twins('five hours of -15 sigma in a daily sine', dailySine, -15),
];
