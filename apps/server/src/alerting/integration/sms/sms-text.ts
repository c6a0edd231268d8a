import { type AlertContent, shortened } from '#libs/alerting';
import { cut } from '../delivery.js';

/** Two parts of a text in an alphabet of 16 bits, four in the usual one. */
const LONGEST = 300;
const MOST_NAMED = 10;
const LONGEST_NAME = 40;

const WORDS: Readonly<Record<AlertContent['phase'], string>> = {
  opened: '',
  updated: 'Update: ',
  acknowledged: 'Acknowledged: ',
  recovered: 'Recovered: ',
};

/** One short text; the link is always whole. */
export function smsText(content: AlertContent): string {
  const { isTest, phase, title, severityLabel, items, start, timezone, links, kind, metricsCount } = content;
  const severity = severityLabel === null || phase !== 'opened' ? '' : ` (${severityLabel})`;
  const since = start === null || isTest ? '' : ` Since ${timeOf(start, timezone)}.`;
  const first = items[0];
  const said = `${isTest ? 'Test: ' : ''}${WORDS[phase]}${title}${severity}.${since}`;
  const room = LONGEST - links.console.length - 1;
  const isOfMany = kind === 'threshold' && metricsCount > 1;
  const one = first === undefined || phase === 'recovered' ? '' : ` ${first.text}`;
  const detail = isOfMany ? namesOf(content, room - said.length) : one;
  return `${cut(`${said}${detail}`, room)} ${links.console}`;
}

/** The first ten names, as far as there is room for them, and how many more there are. */
function namesOf({ items, metricsCount }: AlertContent, room: number): string {
  const named = items.slice(0, MOST_NAMED).map(({ metric }) => shortened(metric, LONGEST_NAME));
  for (let count = named.length; count > 0; count--) {
    const left = metricsCount - count;
    const text = ` ${named.slice(0, count).join(', ')}${left > 0 ? ` and ${left.toLocaleString('en-US')} more` : ''}.`;
    if (text.length <= room) return text;
  }
  return '';
}

const timeOf = (seconds: number, timezone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit' }).format(seconds * 1000);
