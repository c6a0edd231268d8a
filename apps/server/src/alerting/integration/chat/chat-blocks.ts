import { type AlertContent, type AlertEntry, clockText, type ItemLine, layoutOf, shortened } from '#libs/alerting';

/** A block of the provider's block kit. */
export interface ChatBlock {
  type: string;
  block_id?: string;
}

/** The parts of a message; notifications and screen readers use `text`. */
export interface ChatText {
  text: string;
  blocks: ChatBlock[];
}

/** More are in the console. */
const MAX_ITEMS = 10;
/** Limits of the block kit, in characters. */
const HEADER = 150;
const SECTION = 3000;
const FIELD = 2000;
const MAX_FIELDS = 10;
const NAME = 200;

const SIGNS = { critical: '🔴', major: '🟠', minor: '🟡', info: '⚪' } as const;
const DONE = '✅';
/** Closed for another reason than normal values. */
const CLOSED = '⏹️';
const SEEN = '👀';

/** Lays a message out. @param mentions member ids */
export function chatBlocks(content: AlertContent, mentions: readonly string[]): ChatText {
  const layout = layoutOf(content, MAX_ITEMS);
  const blocks: ChatBlock[] = [];
  if (layout.notice !== null) blocks.push(context(`:test_tube: *${escaped(layout.notice)}*`));
  blocks.push(block('header', { text: plain(shortened(`${signOf(content)} ${content.title}`, HEADER)) }));
  const called = mentions.filter(isMember).map((id) => `<@${id}>`);
  blocks.push(section([called.join(' '), escaped(content.summary)].filter((part) => part !== '').join(' ')));
  if (layout.rows.length > 0) {
    blocks.push(block('section', { fields: layout.rows.slice(0, MAX_FIELDS).map(field) }));
  }
  const lines = [...layout.items.map(itemLine), ...(layout.more === null ? [] : [`_${escaped(layout.more)}_`])];
  if (lines.length > 0) blocks.push(section(lines.join('\n')));
  const entries = (content.entries ?? []).map((entry) => entryLine(entry, content.timezone));
  if (entries.length > 0) blocks.push(section(entries.join('\n')));
  if (layout.actions.length > 0) {
    const buttons = layout.actions.map(({ label, url }, index) => ({
      type: 'button',
      action_id: `open-${String(index)}`,
      text: plain(label),
      url,
      ...(index === 0 ? { style: 'primary' } : {}),
    }));
    blocks.push(block('actions', { elements: buttons }));
  }
  blocks.push(context(escaped(layout.footer)));
  return { text: escaped(`${signOf(content)} ${content.title}`), blocks };
}

/** A short text for the thread when the subject is over or a user has acknowledged it. */
export function chatReply(content: AlertContent): ChatText {
  const text = escaped(`${signOf(content)} ${content.title}`);
  return { text, blocks: [section(`*${text}*\n${escaped(content.summary)}`)] };
}

/** Ids of members begin with U, in shared workspaces with W. */
const isMember = (id: string): boolean => /^[UW][A-Z0-9]{2,30}$/.test(id);

function signOf({ phase, isClosed, severityLabel, kind }: AlertContent): string {
  if (phase === 'recovered') return isClosed === true ? CLOSED : DONE;
  if (phase === 'acknowledged') return SEEN;
  if (kind === 'summary') return '📊';
  if (kind === 'test') return '🔔';
  return severityLabel === null ? '⚠️' : SIGNS[severityLabel];
}

const block = (type: string, members: Record<string, unknown>): ChatBlock => ({ type, ...members });
const plain = (text: string) => ({ type: 'plain_text', text: oneLine(text), emoji: true });
const markdown = (text: string, most: number) => ({ type: 'mrkdwn', text: cut(text, most), verbatim: true });
const section = (text: string): ChatBlock => block('section', { text: markdown(text, SECTION) });
const context = (text: string): ChatBlock => block('context', { elements: [markdown(text, FIELD)] });
const field = ([name, value]: readonly [string, string]) =>
  markdown(`*${escaped(name)}*\n${escaped(shortened(value, 300))}`, FIELD);

const itemLine = ({ name, detail, severityLabel }: ItemLine): string =>
  `${SIGNS[severityLabel]} *${escaped(shortened(name, NAME))}*\n${escaped(detail)}`;

function entryLine({ timestamp, severityLabel, text, url }: AlertEntry, timezone: string): string {
  const what = url === null ? escaped(text) : `<${url}|${escaped(text).replaceAll('|', '¦')}>`;
  return `${SIGNS[severityLabel]} ${escaped(clockText(timestamp, timezone, 0))}: ${what}`;
}

const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();

/**
 * Positions where markup may begin or end. Within words these characters are not markup, so that names can be copied
 * unchanged.
 */
const MARKUP = /(?<![\p{L}\p{N}])[*_~`]|[*_~`](?![\p{L}\p{N}])/gu;

/**
 * The provider's markup: three characters mark links and mentions. A zero-width space before asterisks and similar
 * characters prevents markup, as they cannot be escaped.
 */
function escaped(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(MARKUP, '\u200b$&');
}

/** Whole lines, as half a line may be half a link. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const lines = text.split('\n');
  while (lines.length > 1 && lines.join('\n').length > most - 2) lines.pop();
  return lines.length > 1 ? `${lines.join('\n')}\n…` : text.slice(0, most);
}
