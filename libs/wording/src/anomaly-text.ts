import { type AnomalyKind } from '#libs/contracts';
import { rangeText, valueText } from './quantity.js';
import { dayText, timeText, weekdayTimeText } from './moment.js';

/** The known data of an anomaly. Values are in `unit`, that of the analysed values (`shownUnit`). */
export interface DescribedAnomaly {
  kind: AnomalyKind;
  /** At its first slot, like the limits of the expected range. */
  value: number | null;
  lower: number | null;
  upper: number | null;
  /** At its most unusual slot so far; null or omitted if it is not known. */
  peakValue?: number | null;
  unit: string | null;
  /** Unix seconds; `end` is that of its last anomalous slot, null while its values are anomalous. */
  start: number;
  end: number | null;
}

/** The reader for whom times are written: IANA zone, Unix seconds. */
export interface Reader {
  zone: string;
  now: number;
}

/**
 * The event, as a text that follows the name of the metric: `rose to 93 % (usual 20 to 40 %)`, `has had no data since
 * 07:29`.
 */
export function anomalyText(anomaly: DescribedAnomaly, reader: Reader): string {
  const seen = observedText(anomaly, reader);
  const usual = expectedText(anomaly);
  return usual === null ? seen : `${seen} (usual ${usual})`;
}

/** The same without the usual values, for places with little space: `rose to 93 %`. */
export function observedText(anomaly: DescribedAnomaly, reader: Reader): string {
  const { kind, end, unit, lower, upper } = anomaly;
  const furthest = furthestValue(anomaly);
  const value = valueText(furthest, unit);
  // Some lists have no values.
  const isKnown = furthest !== null;
  const to = isKnown ? ` to ${value}` : '';
  const at = isKnown ? `at ${value}, ` : '';
  const when = spanText(anomaly, reader);
  switch (kind) {
    case 'missing_data':
      return `${end === null ? 'has had' : 'had'} no data ${when}`;
    case 'flatline':
      return `${end === null ? 'has not changed' : 'did not change'}${isKnown ? ` from ${value}` : ''} ${when}`;
    case 'spike':
      return `spiked${to}`;
    case 'dip':
      return `dropped${to}`;
    case 'level_shift_up':
      return `rose${to}`;
    case 'level_shift_down':
      return `fell${to}`;
    case 'variance_change':
      return `${end === null ? 'fluctuates' : 'fluctuated'} more than usual${isKnown ? `, at ${value}` : ''}`;
    case 'seasonal_break':
      return `${end === null ? 'is' : 'was'} ${at}unlike its usual pattern`;
    case 'new_value_range':
      if (furthest !== null && upper !== null && furthest > upper) return `reached a new high of ${value}`;
      if (furthest !== null && lower !== null && furthest < lower) return `reached a new low of ${value}`;
      return `reached ${isKnown ? value : 'new values'} for the first time`;
  }
}

/** The value that texts name: the first one, or the peak if that is further outside of the expected range. */
export function furthestValue({
  kind,
  value,
  peakValue: peak = null,
  lower,
  upper,
}: Pick<DescribedAnomaly, 'kind' | 'value' | 'peakValue' | 'lower' | 'upper'>): number | null {
  if (value === null || peak === null) return value;
  switch (kind) {
    case 'missing_data':
    case 'flatline':
      return value;
    case 'spike':
    case 'level_shift_up':
      return peak > Math.max(value, upper ?? value) ? peak : value;
    case 'dip':
    case 'level_shift_down':
      return peak < Math.min(value, lower ?? value) ? peak : value;
    default: {
      const outside = (one: number) =>
        Math.max(upper === null ? -Infinity : one - upper, lower === null ? -Infinity : lower - one);
      return outside(peak) > Math.max(0, outside(value)) ? peak : value;
    }
  }
}

/**
 * What several metrics have in common if all of their anomalies are of a kind in which values do not matter: `have had
 * no data`, `have not changed`; null otherwise.
 */
export function commonEventText(kinds: readonly AnomalyKind[], isOver: boolean): string | null {
  const kind = commonKind(kinds);
  if (kind === null) return null;
  if (kind === 'missing_data') return `${isOver ? 'had' : 'have had'} no data`;
  return isOver ? 'did not change' : 'have not changed';
}

/** Missing data or constant values, if all of the anomalies are of that kind; null otherwise, and without any. */
export function commonKind(kinds: readonly AnomalyKind[]): 'missing_data' | 'flatline' | null {
  const [kind] = kinds;
  if (kind !== 'missing_data' && kind !== 'flatline') return null;
  return kinds.every((other) => other === kind) ? kind : null;
}

/** Length of `07:29`. */
const BARE_TIME = 5;

/** `since 07:29`, `at 07:29` without a length, `from 07:29 to 07:40`, `from Tue 23:50 to Wed 00:10`. */
export function spanText({ start, end }: Pick<DescribedAnomaly, 'start' | 'end'>, { zone, now }: Reader): string {
  const from = timeText(start, zone, now);
  if (end === null) return `since ${from}`;
  if (end === start) return `at ${from}`;
  // A period that crosses midnight names both days.
  const isOneDay = dayText(start, zone, now) === dayText(end, zone, now);
  if (isOneDay) return `from ${from} to ${timeText(end, zone, end)}`;
  const until = timeText(end, zone, now);
  return `from ${from} to ${until.length === BARE_TIME ? weekdayTimeText(end, zone) : until}`;
}

/**
 * The usual value: the expected range if the value is outside of it. Null for a break of the season, whose reason
 * contains the expected value, and for missing data, which has none.
 */
export function expectedText(anomaly: Omit<DescribedAnomaly, 'start' | 'end'>): string | null {
  const { kind, lower, upper, unit } = anomaly;
  const value = furthestValue(anomaly);
  if (kind === 'missing_data' || kind === 'flatline' || kind === 'seasonal_break' || value === null) return null;
  const isOutside = (lower !== null && value < lower) || (upper !== null && value > upper);
  return isOutside ? rangeText(lower, upper, unit) : null;
}
