import { type AnomalyKind } from '#libs/contracts';
import { rangeText, valueText } from './quantity.js';
import { dayText, timeText, weekdayTimeText } from './moment.js';

/** What is known of an anomaly. Values in the unit, which is that of the analysed values (`shownUnit`). */
export interface Happening {
  kind: AnomalyKind;
  /** At its first slot, as are the edges of the expected range. */
  value: number | null;
  lower: number | null;
  upper: number | null;
  unit: string | null;
  /** Unix seconds; `end` null while it is open. */
  start: number;
  end: number | null;
}

/** For whom the times are written: IANA zone, Unix seconds. */
export interface Reader {
  zone: string;
  now: number;
}

/**
 * What happened, as what follows the name of the metric: `rose to 93 % (usual 20 to 40 %)`, `has had no data since 07:29`.
 */
export function happenedText(happening: Happening, reader: Reader): string {
  const seen = seenText(happening, reader);
  const usual = usualText(happening);
  return usual === null ? seen : `${seen} (usual ${usual})`;
}

function seenText(happening: Happening, reader: Reader): string {
  const { kind, end, unit, lower, upper } = happening;
  const value = valueText(happening.value, unit);
  const when = whenText(happening, reader);
  switch (kind) {
    case 'missing_data':
      return `${end === null ? 'has had' : 'had'} no data ${when}`;
    case 'flatline':
      return `${end === null ? 'has not changed' : 'did not change'} from ${value} ${when}`;
    case 'spike':
      return `spiked to ${value}`;
    case 'dip':
      return `dropped to ${value}`;
    case 'level_shift_up':
      return `rose to ${value}`;
    case 'level_shift_down':
      return `fell to ${value}`;
    case 'variance_change':
      return `${end === null ? 'fluctuates' : 'fluctuated'} more than usual, at ${value}`;
    case 'seasonal_break':
      return `${end === null ? 'is' : 'was'} at ${value}, unlike its usual pattern`;
    case 'new_value_range':
      if (happening.value !== null && upper !== null && happening.value > upper)
        return `reached a new high of ${value}`;
      if (happening.value !== null && lower !== null && happening.value < lower) return `reached a new low of ${value}`;
      return `reached ${value} for the first time`;
  }
}

/** Length of `07:29`. */
const BARE_TIME = 5;

/** `since 07:29`, `from Tue 23:50 to Wed 00:10` */
function whenText({ start, end }: Happening, { zone, now }: Reader): string {
  const from = timeText(start, zone, now);
  if (end === null) return `since ${from}`;
  if (end === start) return `at ${from}`;
  // A span that crosses midnight names both days.
  const isOneDay = dayText(start, zone, now) === dayText(end, zone, now);
  if (isOneDay) return `from ${from} to ${timeText(end, zone, end)}`;
  const until = timeText(end, zone, now);
  return `from ${from} to ${until.length === BARE_TIME ? weekdayTimeText(end, zone) : until}`;
}

/**
 * What was usual: the expected range where the value lies outside of it. Of a break of the season the reason says what was
 * due, and of missing data there is none: null.
 */
export function usualText({ kind, value, lower, upper, unit }: Omit<Happening, 'start' | 'end'>): string | null {
  if (kind === 'missing_data' || kind === 'flatline' || kind === 'seasonal_break' || value === null) return null;
  const isOutside = (lower !== null && value < lower) || (upper !== null && value > upper);
  return isOutside ? rangeText(lower, upper, unit) : null;
}
