import { type AlertContent, type AlertEntry, clockText, type ItemLine, layoutOf, shortened } from '#libs/alerting';

/** An adaptive card, by its public schema. */
export interface AdaptiveCard {
  type: 'AdaptiveCard';
  $schema: string;
  version: '1.4';
  fallbackText: string;
  msteams: { width: 'Full' };
  body: CardElement[];
  actions: CardAction[];
}

interface CardElement {
  type: string;
}

interface CardAction {
  type: 'Action.OpenUrl';
  title: string;
  url: string;
}

/** The message that the workflow receives. */
export interface TeamsMessage {
  type: 'message';
  attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive'; contentUrl: null; content: AdaptiveCard }];
}

/** Small enough to be embedded in the message. */
export const CARD_PICTURE = { width: 480, height: 200, scale: 1 } as const;

/** The provider accepts 28 KB; how much it adds to a message is unknown. */
export const LARGEST_MESSAGE = 27_000;
/** More are in the console. */
const MAX_ITEMS = 10;
const LONGEST_TEXT = 500;

const COLORS = { critical: 'attention', major: 'warning', minor: 'accent', info: 'default' } as const;

/**
 * Formats a message as a card. The picture is embedded if there is room; otherwise it is an address, which the provider
 * can only show if it reaches it.
 */
export function teamsMessage(content: AlertContent, png: Buffer | null): TeamsMessage {
  const inline = png === null ? null : `data:image/png;base64,${png.toString('base64')}`;
  const whole = messageOf(cardOf(content, inline));
  if (inline === null || Buffer.byteLength(JSON.stringify(whole)) <= LARGEST_MESSAGE) return whole;
  const { image } = content.links;
  return messageOf(cardOf(content, image?.startsWith('https://') === true ? image : null));
}

const messageOf = (content: AdaptiveCard): TeamsMessage => ({
  type: 'message',
  attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
});

function cardOf(content: AlertContent, picture: string | null): AdaptiveCard {
  const layout = layoutOf(content, MAX_ITEMS);
  const body: CardElement[] = [];
  if (layout.notice !== null) body.push(text([run(layout.notice, { weight: 'bolder', color: 'warning' })]));
  const title = run(content.title, { weight: 'bolder', size: 'large' });
  body.push(element('Container', { style: styleOf(content), bleed: true, items: [text([title])] }));
  body.push(text([run(content.summary)]));
  if (picture !== null) {
    const name = oneLine(content.items[0]?.metric ?? 'the metric');
    body.push(element('Image', { url: picture, altText: shortened(`Graph of ${name}`, 200), size: 'stretch' }));
  }
  for (const [name, value] of layout.rows) body.push(row(name, value));
  for (const item of layout.items) body.push(...itemElements(item));
  if (layout.more !== null) body.push(text([run(layout.more, { isSubtle: true })]));
  for (const entry of content.entries ?? []) body.push(entryElement(entry, content.timezone));
  body.push(text([run(layout.footer, { isSubtle: true, size: 'small' })], { separator: true }));
  return {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: '1.4',
    fallbackText: oneLine(content.title),
    msteams: { width: 'Full' },
    body,
    actions: layout.actions.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
  };
}

function styleOf({ phase, isClosed, severityLabel, kind }: AlertContent): string {
  if (phase === 'recovered') return isClosed === true ? 'emphasis' : 'good';
  if (severityLabel !== null) return COLORS[severityLabel];
  return kind === 'admin' ? 'warning' : 'emphasis';
}

const element = (type: string, members: Record<string, unknown>): CardElement => ({ type, ...members });

/** Runs of text are shown literally; plain text blocks would interpret some characters as markup. */
const run = (content: string, look: Record<string, unknown> = {}): CardElement =>
  element('TextRun', { text: shortened(content, LONGEST_TEXT), ...look });

const SPACE = element('TextRun', { text: ' ' });

const text = (inlines: readonly CardElement[], look: Record<string, unknown> = {}): CardElement =>
  element('RichTextBlock', { inlines, ...look });

const row = (name: string, value: string): CardElement =>
  text([run(`${name}:`, { isSubtle: true }), SPACE, run(value)], { spacing: 'small' });

const itemElements = ({ name, detail, severityLabel }: ItemLine): CardElement[] => [
  text([run(name, { weight: 'bolder' })], { separator: true }),
  text([run(severityLabel, { color: COLORS[severityLabel] }), SPACE, run(`· ${detail}`, { isSubtle: true })], {
    spacing: 'none',
  }),
];

function entryElement({ timestamp, severityLabel, text: content, url }: AlertEntry, timezone: string): CardElement {
  const link = url === null ? {} : { selectAction: { type: 'Action.OpenUrl', url } };
  return text([
    run(`${clockText(timestamp, timezone, 0)}, ${severityLabel}:`, { isSubtle: true }),
    SPACE,
    run(content, link),
  ]);
}

const oneLine = (content: string): string => content.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
