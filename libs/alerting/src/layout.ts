import { type AlertContent, type AlertItem } from './content.js';
import { capital } from './compose-shared.js';
import { expectedText } from '#libs/wording';
import { beyondText, clockText, counted, valueText } from './value-text.js';

/** The parts of a message, in reading order: the same in mail, chat and cards. */
export interface AlertLayout {
  /** Above everything else; null unless it is a test. */
  notice: string | null;
  /** Names and values that concern the whole message. */
  rows: readonly (readonly [string, string])[];
  /** Empty if the rows contain everything. */
  items: readonly ItemLine[];
  /** The items that `items` omits: `and 1,980 more metrics`; null if there are none. */
  more: string | null;
  actions: readonly LayoutAction[];
  /** Why the reader receives the message, and the time zone of its times. */
  footer: string;
}

export interface ItemLine {
  name: string;
  /** `84.2 ms, usual 3.4 to 4.9 ms, since 14:02` */
  detail: string;
  severityLabel: AlertItem['severityLabel'];
}

/** The first one is the primary action. */
export interface LayoutAction {
  label: string;
  url: string;
}

/** @param mostItems maximum number of items in the channel */
export function layoutOf(content: AlertContent, mostItems: number): AlertLayout {
  const [only] = content.items;
  const isSingle = only !== undefined && content.metricsCount === 1;
  const items = isSingle ? [] : content.items.slice(0, mostItems);
  const left = content.metricsCount - items.length;
  return {
    notice: content.isTest ? 'This is a test. Nothing is wrong.' : null,
    rows: [...(isSingle ? singleRows(only, content.isTest) : []), ...content.facts, ...originRow(content)],
    items: items.map((item) => lineOf(item, content)),
    more: items.length > 0 && left > 0 ? `and ${counted(left, 'more metric')}` : null,
    actions: actionsOf(content),
    footer: footerOf(content),
  };
}

function singleRows(item: AlertItem, isTest: boolean): [string, string][] {
  const { metric, value, unit } = item;
  const isThreshold = item.kind === 'threshold';
  const usual = usualOf(item);
  const rows: [string, string][] = [[isTest ? 'For example' : 'Metric', metric]];
  if (value !== null) {
    const beyond = isThreshold || usual !== null ? beyondText(value, item, unit) : null;
    const limit = isThreshold ? 'the threshold' : 'the usual range';
    rows.push(['Value', valueText(value, unit) + (beyond === null ? '' : `, ${beyond} ${limit}`)]);
  }
  if (usual !== null) rows.push(['Usual', usual]);
  return rows;
}

function usualOf({ kind, ...item }: AlertItem): string | null {
  return kind === 'threshold' ? null : expectedText({ kind, ...item });
}

function originRow({ origin }: AlertContent): [string, string][] {
  return origin === null ? [] : [['Likely origin', origin]];
}

function lineOf(item: AlertItem, { timezone, start }: AlertContent): ItemLine {
  const usual = usualOf(item);
  const parts = [
    item.kind === 'missing_data' ? 'no data' : valueText(item.value, item.unit),
    ...(usual === null ? [] : [`usual ${usual}`]),
    ...(item.end === null
      ? [`since ${clockText(item.start, timezone, start ?? item.start)}`]
      : [`ended ${clockText(item.end, timezone, start ?? item.start)}`]),
  ];
  return { name: item.metric, detail: capital(parts.join(', ')), severityLabel: item.severityLabel };
}

/** The page that `links.console` opens. */
const PAGES: Readonly<Record<AlertContent['kind'], string>> = {
  anomaly: 'Open the incident',
  threshold: 'Open the watcher',
  summary: 'Open the watcher',
  admin: 'Open Plumbline',
  test: 'Open Plumbline',
};

function actionsOf({ kind, phase, isTest, links }: AlertContent): LayoutAction[] {
  const isRunning = phase === 'opened' || phase === 'updated';
  const actions: LayoutAction[] = [];
  if (links.act !== null && isRunning && !isTest) actions.push({ label: 'Acknowledge or train', url: links.act });
  else actions.push({ label: PAGES[kind], url: links.console });
  if (links.graph !== null) actions.push({ label: 'Graph', url: links.graph });
  return actions;
}

function footerOf({ kind, watcher, org, timezone }: AlertContent): string {
  const zone = `Times are in ${timezone}.`;
  switch (kind) {
    case 'admin':
      return `For administrators of ${org.name}. ${zone}`;
    case 'test':
      return `Sent for ${org.name}. ${zone}`;
    case 'summary':
      return `Summary of the watcher “${watcher?.name ?? ''}” of ${org.name}; it is switched off there. ${zone}`;
    default:
      return watcher === null
        ? `Alerts of ${org.name}. ${zone}`
        : `Sent by the watcher “${watcher.name}” of ${org.name}; who gets it, and how often, is set there. ${zone}`;
  }
}
