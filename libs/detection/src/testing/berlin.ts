import { DAY, type Generator, normal } from './generators.js';

/** Series that follow the wall clock of Europe/Berlin, and the changes of that clock in 2025. */

export const BERLIN = 'Europe/Berlin';
/** Sunday, 30 March 2025: 02:00 becomes 03:00. */
export const SPRING_CHANGE = Date.UTC(2025, 2, 30, 1) / 1000;
/** Sunday, 26 October 2025: 03:00 becomes 02:00. */
export const AUTUMN_CHANGE = Date.UTC(2025, 9, 26, 1) / 1000;

/** Seconds since local midnight (of a day without a change), for timestamps in 2025. */
function secondOfDay(timestamp: number): number {
  const isSummer = timestamp >= SPRING_CHANGE && timestamp < AUTUMN_CHANGE;
  return (timestamp + (isSummer ? 7200 : 3600)) % DAY;
}

/** A daily sine by local time. */
export function berlinSine(seed: number, amplitude = 6): Generator {
  const noise = normal(seed);
  return (_, timestamp) => amplitude * Math.sin((2 * Math.PI * secondOfDay(timestamp)) / DAY) + noise();
}

/** Higher by twenty noise deviations from 08:00 to 18:00 local time, with steep edges. */
export function berlinOpeningHours(seed: number): Generator {
  const noise = normal(seed);
  return (_, timestamp) => {
    const hour = secondOfDay(timestamp) / 3600;
    return (hour >= 8 && hour < 18 ? 20 : 0) + noise();
  };
}

/** A job of half an hour at 04:00 local time, fifty noise deviations high. */
export function berlinNightlyJob(seed: number): Generator {
  const noise = normal(seed);
  return (_, timestamp) => {
    const minute = secondOfDay(timestamp) / 60;
    return (minute >= 240 && minute < 270 ? 50 : 0) + noise();
  };
}
