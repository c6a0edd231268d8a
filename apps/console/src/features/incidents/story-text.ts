import { anomalyText, type Reader } from '#libs/wording';
import { texts as shared } from '../../components/components.texts';
import { type Schema } from '../../lib/api';
import { isolated } from '../../lib/isolated';
import { lastedText } from '../../lib/time';
import { texts } from './incidents.texts';
import { type StoryEntry } from './story';

type Anomaly = Schema<'AnomalyDto'>;

/** A sentence about metrics: the text before their names, the named metrics, and the text after. */
export interface StorySentence {
  before: string;
  named: readonly Anomaly[];
  after: string;
}

/** Maximum number of named metrics in an entry; the others are counted. */
const MAX_NAMED = 3;
/** The same limit for recipients of a message. */
const MAX_RECIPIENTS = 2;

/** An entry as a sentence for a reader. */
export function sentenceOf(
  entry: StoryEntry,
  incident: Pick<Schema<'IncidentDto'>, 'started_timestamp' | 'anomalies_count'>,
  reader: Reader,
): StorySentence {
  const { kind, anomalies, at } = entry;
  const named = anomalies.slice(0, MAX_NAMED);
  const others = anomalies.length - named.length;
  const [one] = anomalies;
  const about = (before: string, after: string): StorySentence => ({ before, named, after });
  const text = (before: string): StorySentence => ({ before, named: [], after: '' });
  switch (kind) {
    case 'began':
    case 'joined':
      return one && anomalies.length === 1
        ? about('', ` ${eventText(one, reader)}.`)
        : about(texts.joined(anomalies.length), texts.andMore(others));
    case 'back':
      return one && anomalies.length === 1
        ? about('', ` ${texts.closed[one.close_reason ?? 'recovered']}.`)
        : about(texts.back(anomalies.length), texts.andMore(others));
    case 'acknowledged': {
      const who = isolated(one?.acknowledged_by_display_name ?? '') || texts.somebody;
      const note = texts.note(one?.acknowledge_note ?? '');
      return anomalies.length === incident.anomalies_count
        ? text(`${texts.acknowledgedAll(who)}${note}`)
        : about(texts.acknowledgedSome(who), `${texts.andMore(others)}${note}`);
    }
    case 'ended':
      return text(texts.endedAfter(lastedText(at - incident.started_timestamp)));
    default:
      return text(messageText(entry));
  }
}

/** The event as currently known: an anomaly whose values are not normal again continues. */
function eventText(anomaly: Anomaly, reader: Reader): string {
  const {
    kind,
    value,
    peak_value: peakValue,
    expected_range_lower: lower,
    expected_range_upper: upper,
    unit,
    timestamp,
    out_until_timestamp,
  } = anomaly;
  if (kind === null) return texts.leftItsRange;
  return anomalyText(
    { kind, value, peakValue, lower, upper, unit, start: timestamp, end: out_until_timestamp },
    reader,
  );
}

/** `Mail, 2 messages to ops@example.org, watcher Checkout (opened: “Major: …”): failed after 8 attempts: refused.` */
function messageText({ deliveries }: StoryEntry): string {
  const delivery = deliveries[0]!;
  const { channel, state, suppressed_by: by, watcher_id: watcher, watcher_name: name, message } = delivery;
  const ofWatcher = watcher === null ? '' : texts.ofWatcher(isolated(name ?? String(watcher)));
  const content = texts.content(shared.phases[delivery.phase], isolated(delivery.title));
  const isDemo = channel === 'demo';
  if (isDemo && state === 'sent') return texts.recorded(deliveries.length, `${ofWatcher}${content}`);
  // Empty for readers who may not see addresses.
  const recipients = isDemo ? [] : [...new Set(deliveries.map(({ recipient }) => recipient).filter((to) => to !== ''))];
  const named = recipients.slice(0, MAX_RECIPIENTS).map(isolated);
  const label = isDemo ? texts.demoMailbox : capital(shared.channels[channel]);
  const what = `${texts.messages(label, deliveries.length, named, recipients.length - named.length)}${ofWatcher}${content}`;
  const attempts = Math.max(...deliveries.map((one) => one.attempts));
  switch (state) {
    case 'sent':
      return texts.sent(what);
    case 'failed':
      return texts.failed(what, attempts, message);
    case 'retrying':
      return texts.retrying(what, attempts, message);
    case 'queued':
      return texts.queued(what);
    case 'suppressed':
      return texts.suppressed(what, by === null ? message : shared.suppressedBy[by]);
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The sentence without markup. */
export const plainText = ({ before, named, after }: StorySentence): string =>
  `${before}${named.map(({ metric }) => isolated(metric)).join(', ')}${after}`;
