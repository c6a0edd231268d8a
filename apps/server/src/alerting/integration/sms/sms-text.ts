import { type AlertContent } from '#libs/alerting';
import { cut } from '../delivery.js';

/** Two parts of a text in an alphabet of 16 bits, four in the usual one. */
const LONGEST = 300;

/** One sign outside of the alphabet of telephones doubles what a text costs. */
const TELEPHONE_SIGNS: Readonly<Record<string, string>> = {
  '−': '-',
  '–': '-',
  µ: 'u',
  '“': '"',
  '”': '"',
  '…': '...',
};

/** One short text: what the title says, since when and why; the link is always whole. */
export function smsText({ title, summary, links }: AlertContent): string {
  const said = `${title}. ${summary}`.replace(/[−–µ“”…]/g, (sign) => TELEPHONE_SIGNS[sign]!);
  return `${cut(said, LONGEST - links.console.length - 1)} ${links.console}`;
}
