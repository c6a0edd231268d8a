/** Times and names as people read them in alerts, in the zone of the organisation. */
import { DateTime } from 'luxon';

export { beyondText, counted, countText, lastingText, rangeText, valueText } from '#libs/wording';

/** `14:02`; `Thu 9 Oct, 14:02` if it is another day than `now`. */
export function clockText(timestamp: number, timezone: string, now: number): string {
  const moment = momentOf(timestamp, timezone);
  return moment.hasSame(momentOf(now, timezone), 'day')
    ? moment.toFormat('HH:mm')
    : moment.toFormat('ccc d LLL, HH:mm');
}

/** `Thu 9 Oct 2025, 14:02 (UTC+02:00)` */
export function momentText(timestamp: number, timezone: string): string {
  const moment = momentOf(timestamp, timezone);
  return `${moment.toFormat('ccc d LLL yyyy, HH:mm')} (${offsetText(moment)})`;
}

/**
 * One line of at most this many characters; longer ones are shortened in the middle, because both ends distinguish
 * names.
 */
export function shortened(text: string, most: number): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= most) return line;
  const head = Math.ceil((most - 1) * 0.6);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (most - 1 - head)).join('')}`;
}

function momentOf(timestamp: number, timezone: string): DateTime {
  return DateTime.fromSeconds(timestamp, { zone: timezone, locale: 'en-US' });
}

const offsetText = (moment: DateTime): string => (moment.offset === 0 ? 'UTC' : `UTC${moment.toFormat('ZZ')}`);
