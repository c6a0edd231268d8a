import { type AlertContent, shortened } from '#libs/alerting';
import { cut } from '../delivery.js';

/** Two parts of a text in an alphabet of 16 bits, four in the usual one. */
const LONGEST = 300;
const MAX_NAMED = 10;
const LONGEST_NAME = 40;

/** One sign outside of the alphabet of telephones doubles what a text costs. */
const TELEPHONE_SIGNS: Readonly<Record<string, string>> = {
  '−': '-',
  '–': '-',
  µ: 'u',
  '“': '"',
  '”': '"',
  '…': '...',
};

/** One short text: what the title says, since when and why, or the names of many metrics; the link is always whole. */
export function smsText(content: AlertContent): string {
  const { title, summary, links, kind, metricsCount } = content;
  const room = LONGEST - links.console.length - 1;
  const isOfMany = kind === 'threshold' && metricsCount > 1;
  const said = isOfMany ? `${title}.${namesOf(content, room - title.length - 1)}` : `${title}. ${summary}`;
  return `${cut(
    said.replace(/[−–µ“”…]/g, (sign) => TELEPHONE_SIGNS[sign]!),
    room,
  )} ${links.console}`;
}

/** The first ten names, as far as there is room for them, and how many more there are. */
function namesOf({ items, metricsCount }: AlertContent, room: number): string {
  const named = items.slice(0, MAX_NAMED).map(({ metric }) => shortened(metric, LONGEST_NAME));
  for (let count = named.length; count > 0; count--) {
    const left = metricsCount - count;
    const text = ` ${named.slice(0, count).join(', ')}${left > 0 ? ` and ${left.toLocaleString('en-US')} more` : ''}.`;
    if (text.length <= room) return text;
  }
  return '';
}
