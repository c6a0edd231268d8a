import {
  AUTUMN_CHANGE,
  BERLIN,
  berlinNightlyJob,
  berlinOpeningHours,
  berlinSine,
  DAY,
  type Generator,
  series,
  SPRING_CHANGE,
} from '#libs/detection/testing';
import { atLeast, cell, type Scene, scene } from '../cell.js';
import { calmBetween, watch } from '../watched.js';

/** Days that are learnt before the day of the change, and days that are observed from its local midnight on. */
const LEARNT_DAYS = 15;
const WATCHED_DAYS = 3;

/** A series that follows the clock of Europe/Berlin, at a change of that clock; `midnight` of the day of the change. */
function change(name: string, midnight: number, make: (seed: number) => Generator): Scene {
  const from = midnight - LEARNT_DAYS * DAY;
  return scene(name, (seed) =>
    watch(series(LEARNT_DAYS + WATCHED_DAYS, 60, make(seed), from), { timezone: BERLIN }),
  ).with([
    cell('no storm on that day and two more', atLeast(0.99), (watched) =>
      calmBetween(watched, midnight, midnight + WATCHED_DAYS * DAY),
    ),
  ]);
}

const kinds: readonly [string, (seed: number) => Generator][] = [
  ['a daily sine', berlinSine],
  ['opening hours', berlinOpeningHours],
  ['a nightly job', berlinNightlyJob],
];

export const daylightSaving: readonly Scene[] = kinds.flatMap(([name, make]) => [
  change(`${name} at the change to summer time`, SPRING_CHANGE - 2 * 3600, make),
  change(`${name} at the change to winter time`, AUTUMN_CHANGE - 3 * 3600, make),
]);
