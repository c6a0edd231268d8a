import { type AlertContent } from '#libs/alerting';
import { cut } from '../delivery.js';

/** Two parts of a text in an alphabet of 16 bits, four in the usual one. */
const LONGEST = 300;

const WORDS: Readonly<Record<AlertContent['phase'], string>> = {
  opened: '',
  updated: 'Update: ',
  acknowledged: 'Acknowledged: ',
  recovered: 'Recovered: ',
};

/** One short text; the link is always whole. */
export function smsText({ isTest, phase, title, severityLabel, items, start, timezone, links }: AlertContent): string {
  const severity = severityLabel === null || phase !== 'opened' ? '' : ` (${severityLabel})`;
  const since = start === null || isTest ? '' : ` Since ${timeOf(start, timezone)}.`;
  const first = items[0];
  const detail = first === undefined || phase === 'recovered' ? '' : ` ${first.text}`;
  const said = `${isTest ? 'Test: ' : ''}${WORDS[phase]}${title}${severity}.${since}${detail}`;
  return `${cut(said, LONGEST - links.console.length - 1)} ${links.console}`;
}

const timeOf = (seconds: number, timezone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit' }).format(seconds * 1000);
