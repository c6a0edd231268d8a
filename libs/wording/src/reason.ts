import { type Explanation, type TextPart } from '#libs/contracts';
import { dateText, weekdayTimeText } from './moment.js';
import { rangeText, valueText } from './quantity.js';

/** Settings for writing the parts of a reason. */
export interface ReasonContext {
  /** Unit of the analysed values (`shownUnit`). */
  unit: string | null;
  /** IANA name. */
  zone: string;
  /** Seconds between rows: for rows of a day or longer, only the date is written. */
  slotSeconds?: number | null;
}

const DAY = 86_400;

/**
 * A reason as a sentence: `It has stayed above the usual 20 to 40 % since Tue 23:50.` Times include the weekday,
 * because they are also read on later days.
 */
export function reasonText(parts: readonly TextPart[], { unit, zone, slotSeconds }: ReasonContext): string {
  const isOfDays = (slotSeconds ?? 0) >= DAY;
  const texts = parts.map((part) => {
    if (typeof part === 'string') return part;
    if ('value' in part) return valueText(part.value, unit);
    if ('lower' in part) return rangeText(part.lower, part.upper, unit) ?? '';
    return isOfDays ? dateText(part.at, zone) : weekdayTimeText(part.at, zone);
  });
  const text = texts.join('');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Reasons of the detector in the form in which they are stored and shown: written for a reader, without the parts. */
export function writtenReasons(explanation: readonly Explanation[], context: ReasonContext): Explanation[] {
  return explanation.map(({ parts, ...item }) =>
    parts === undefined ? item : { ...item, text: reasonText(parts, context) },
  );
}
