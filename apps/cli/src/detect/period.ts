const UNIT_SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
const DURATION = /^(\d+(?:\.\d+)?)([smhdw])$/;
/** A season longer than a year has not been seen twice by anybody who asks. */
const LONGEST_SECONDS = 366 * UNIT_SECONDS.d;

/** Seconds, 0 for none; or found in the data. */
export type Period = number | 'auto';

export class PeriodError extends Error {}

/**
 * Reads a season: a duration (`45m`, `12h`, `1d`, `7d`) in seconds, `none` as 0, `auto` as it is.
 *
 * @throws PeriodError with the broken rule
 */
export function periodOf(text: string): Period {
  if (text === 'auto') return text;
  if (text === 'none') return 0;
  const parts = DURATION.exec(text);
  if (!parts) throw new PeriodError('Must be auto, none or a duration such as 45m, 12h, 1d or 7d.');
  const seconds = Number(parts[1]) * UNIT_SECONDS[parts[2] as keyof typeof UNIT_SECONDS];
  if (seconds < 1) throw new PeriodError('A period lasts a second at least; none says that there is no season.');
  if (seconds > LONGEST_SECONDS) throw new PeriodError('A period lasts 366 days at most.');
  return seconds;
}
