import { type Explanation } from '#libs/contracts';
import { type Counterfactual } from '#libs/detection';
import { counted, dateTime, number } from '../../common/display/display.js';
import { HOUR, MINUTE } from '../../common/time.js';
import { type Anomaly } from './anomaly.types.js';

/** An earlier anomaly that looks like another one. */
export interface LookAlike {
  anomalyId: number;
  /** Unix seconds. */
  startTimestamp: number;
  kind: string;
  /** Correlation, 0..1. */
  similarity: number;
}

/** What people read of an account, as items after the reasons that the detector gave. */
export function explanationOf(
  anomaly: Anomaly,
  counterfactual: Counterfactual | null,
  lookAlike: LookAlike | null,
  timezone: string,
): Explanation[] {
  const base = { score: 0, observed: anomaly.value, expected: anomaly.expected, timestamp: anomaly.startTimestamp };
  const items: Explanation[] = [];
  if (counterfactual !== null) {
    items.push({ ...base, test: 'counterfactual', text: counterfactualText(anomaly, counterfactual) });
  }
  if (lookAlike !== null) items.push({ ...base, test: 'look_alike', text: lookAlikeText(lookAlike, timezone) });
  return items;
}

function counterfactualText({ kind }: Anomaly, { side, value, seconds }: Counterfactual): string {
  // A flat line is opened after it has lasted, so its own duration, from the opening on, is another one.
  if (kind === 'flatline' && seconds !== null) {
    return `It would not have opened if the value had changed within ${lasting(seconds)}.`;
  }
  const time = seconds === null ? null : `for under ${lasting(seconds)}`;
  if (side === null || value === null) {
    return `It would not have opened ${time ?? ''}${kind === 'missing_data' ? ' without data' : ''}.`;
  }
  return `It would not have opened ${side} ${exact(value)}${time === null ? '' : `, or ${time}`}.`;
}

function lookAlikeText({ startTimestamp, kind, similarity }: LookAlike, timezone: string): string {
  const alike = String(Math.floor(100 * similarity));
  const when = dateTime(startTimestamp, timezone);
  return `Most like the earlier one of ${when} (${kind.replaceAll('_', ' ')}, ${alike} % alike in shape).`;
}

/** In so many digits as usual, unless that would be another number: the limit is one that was tried. */
function exact(value: number): string {
  const usual = number(value);
  return Number(usual) === value ? usual : String(value);
}

function lasting(seconds: number): string {
  if (seconds % HOUR === 0 && seconds > HOUR) return counted(seconds / HOUR, 'hour');
  return seconds % MINUTE === 0 ? counted(seconds / MINUTE, 'minute') : counted(seconds, 'second');
}
