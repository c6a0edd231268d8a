import { type AnomalyKind, type Explanation } from '#libs/contracts';
import { type Counterfactual } from '#libs/detection';
import { lastingText, valueText } from '#libs/wording';
import { dateTime } from '../../common/display/display.js';
import { type Anomaly } from './anomaly.types.js';

/** An earlier anomaly that resembles another one. */
export interface LookAlike {
  anomalyId: number;
  /** Unix seconds. */
  startTimestamp: number;
  kind: AnomalyKind;
  /** Correlation, 0..1. */
  similarity: number;
}

/** An explanation as text for people, as items after the reasons of the detector. */
export function explanationOf(
  anomaly: Anomaly,
  counterfactual: Counterfactual | null,
  lookAlike: LookAlike | null,
  { timezone, unit }: { timezone: string; unit: string | null },
): Explanation[] {
  const base = { score: 0, observed: anomaly.value, expected: anomaly.expected, timestamp: anomaly.startTimestamp };
  const items: Explanation[] = [];
  const otherwise = counterfactual === null ? null : counterfactualText(anomaly, counterfactual, unit);
  if (otherwise !== null) items.push({ ...base, test: 'counterfactual', text: otherwise });
  if (lookAlike !== null) items.push({ ...base, test: 'look_alike', text: lookAlikeText(lookAlike, timezone) });
  return items;
}

function counterfactualText(
  { kind, expected }: Anomaly,
  { side, value, seconds }: Counterfactual,
  unit: string | null,
): string | null {
  // A flatline is opened after it has lasted, so its own duration, measured from the opening, differs.
  if (kind === 'flatline' && seconds !== null) {
    return `It would not have opened if the value had changed within ${lastingText(seconds)}.`;
  }
  const time = seconds === null ? null : `if it had lasted less than ${lastingText(seconds)}`;
  const limit = side === null || value === null ? null : quietLimit(value, side, expected);
  const beyond = limit === null ? null : `${side!} ${valueText(limit, unit)}`;
  const changes = [beyond, time].filter((change) => change !== null);
  return changes.length === 0 ? null : `It would not have opened ${changes.join(', or ')}.`;
}

/**
 * The limit with the displayed number of digits, rounded to the side that does not alert: the stated limit is the
 * tested one, or further away on that side. Null if it would be beyond the expected value, and therefore meaningless.
 */
function quietLimit(value: number, side: 'below' | 'above', expected: number | null): number | null {
  if (value === 0) return 0;
  const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 3);
  const rounded = Number(value.toPrecision(4));
  const isQuiet = side === 'below' ? rounded <= value : rounded >= value;
  const limit = isQuiet ? rounded : Number((side === 'below' ? rounded - step : rounded + step).toPrecision(4));
  return expected !== null && (side === 'below' ? limit <= expected : limit >= expected) ? null : limit;
}

const ALIKE: Readonly<Record<AnomalyKind, string>> = {
  spike: 'a spike',
  dip: 'a dip',
  level_shift_up: 'a rise',
  level_shift_down: 'a fall',
  variance_change: 'unusual fluctuation',
  seasonal_break: 'a break of its usual pattern',
  flatline: 'a value that did not change',
  missing_data: 'missing data',
  new_value_range: 'a value never reached before',
};

function lookAlikeText({ startTimestamp, kind, similarity }: LookAlike, timezone: string): string {
  const alike = String(Math.floor(100 * similarity));
  const when = dateTime(startTimestamp, timezone);
  return `Most like the earlier anomaly of ${when} (${ALIKE[kind]}, ${alike} % alike in shape).`;
}
