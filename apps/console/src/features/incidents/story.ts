import { type Schema } from '../../lib/api';

type Anomaly = Schema<'AnomalyDto'>;
type Delivery = Schema<'DeliveryDto'>;

/** Kinds of entries of the story. `sent` to `held` are messages, by their outcome. */
const STORY_KINDS = ['began', 'joined', 'sent', 'failed', 'waiting', 'held', 'acknowledged', 'back', 'ended'] as const;
export type StoryKind = (typeof STORY_KINDS)[number];

/** An event of an incident, or several simultaneous events of one kind. */
export interface StoryEntry {
  /** Stable while its subject is the same. */
  key: string;
  kind: StoryKind;
  /** Unix seconds; for several events, that of the first. */
  at: number;
  /** The anomalies whose start, end or acknowledgement it is. */
  anomalies: readonly Anomaly[];
  /** The same message of one watcher over one channel, with the same outcome. */
  deliveries: readonly Delivery[];
}

/** Maximum number of events of a kind within the same minute that have separate entries. */
const MAX_ALONE = 3;
const MINUTE = 60;

const DELIVERY_KINDS: Record<Delivery['state'], StoryKind> = {
  sent: 'sent',
  failed: 'failed',
  queued: 'waiting',
  retrying: 'waiting',
  suppressed: 'held',
};

/**
 * The events of an incident, oldest first: metrics that left their range and returned, notified people,
 * acknowledgements, and its end. The same event of many metrics within a minute is one entry.
 */
export function storyOf(
  incident: Pick<Schema<'IncidentDto'>, 'ended_timestamp'>,
  anomalies: readonly Anomaly[],
  deliveries: readonly Delivery[],
): StoryEntry[] {
  const [first, ...others] = anomalies.toSorted((a, b) => a.timestamp - b.timestamp);
  const about = (kind: StoryKind, at: number, of: readonly Anomaly[]): StoryEntry => ({
    key: `${kind}${String(of[0]?.id ?? '')}`,
    kind,
    at,
    anomalies: of,
    deliveries: [],
  });
  const entries = [
    ...(first ? [about('began', first.timestamp, [first])] : []),
    ...together(others, ({ timestamp }) => timestamp).flatMap((group) =>
      group.length > MAX_ALONE
        ? [about('joined', group[0]!.timestamp, group)]
        : group.map((one) => about('joined', one.timestamp, [one])),
    ),
    ...messagesOf(deliveries),
    ...acknowledgementsOf(anomalies).map((group) => about('acknowledged', group[0]!.acknowledged_at!, group)),
    ...together(
      anomalies.filter(({ until_timestamp: until }) => until !== null),
      ({ out_until_timestamp: until }) => until!,
    ).flatMap((group) =>
      group.length > MAX_ALONE
        ? [about('back', group[0]!.out_until_timestamp!, group)]
        : group.map((one) => about('back', one.out_until_timestamp!, [one])),
    ),
    ...(incident.ended_timestamp === null ? [] : [about('ended', incident.ended_timestamp, [])]),
  ];
  return entries.toSorted((a, b) => a.at - b.at || STORY_KINDS.indexOf(a.kind) - STORY_KINDS.indexOf(b.kind));
}

/** Those of the same minute, in order of time. */
function together<Thing>(things: readonly Thing[], timeOf: (thing: Thing) => number): Thing[][] {
  return grouped(
    things.toSorted((a, b) => timeOf(a) - timeOf(b)),
    (thing) => String(Math.floor(timeOf(thing) / MINUTE)),
  );
}

/** Groups of things with the same key, in the order of their first things. */
function grouped<Thing>(things: readonly Thing[], keyOf: (thing: Thing) => string): Thing[][] {
  const groups = new Map<string, Thing[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group) group.push(thing);
    else groups.set(key, [thing]);
  }
  return [...groups.values()];
}

/** Messages of an alert are sent sequentially: those of a minute are one entry, for all of their recipients. */
function messagesOf(deliveries: readonly Delivery[]): StoryEntry[] {
  const groups = grouped(
    deliveries.toSorted((a, b) => a.timestamp - b.timestamp || a.id - b.id),
    ({ watcher_id, channel, phase, title, state, suppressed_by, message, timestamp }) =>
      JSON.stringify([
        ...[watcher_id, channel, phase, title, state, suppressed_by, message],
        Math.floor(timestamp / MINUTE),
      ]),
  );
  return groups.map((group) => ({
    key: `message${String(group[0]!.id)}`,
    kind: DELIVERY_KINDS[group[0]!.state],
    at: group[0]!.timestamp,
    anomalies: [],
    deliveries: group,
  }));
}

/** Anomalies that one person acknowledged together. */
function acknowledgementsOf(anomalies: readonly Anomaly[]): Anomaly[][] {
  const acknowledged = anomalies.filter(({ acknowledged_at: at }) => at !== null);
  return grouped(acknowledged, ({ acknowledged_at: at, acknowledged_by: by, acknowledge_note: note }) =>
    JSON.stringify([at, by, note]),
  );
}

/** Entries that are drawn as one mark, because separate marks would overlap. */
export interface StoryMark {
  /** 0..1 of the width. */
  place: number;
  entries: readonly StoryEntry[];
}

/** Of entries in the same place, the most important one is drawn. */
const WEIGHT: readonly StoryKind[] = [
  'failed',
  'began',
  'ended',
  'sent',
  'acknowledged',
  'waiting',
  'held',
  'joined',
  'back',
];

export const kindOfMark = ({ entries }: StoryMark): StoryKind =>
  WEIGHT.find((kind) => entries.some((entry) => entry.kind === kind))!;

/** Positions of the entries within the window; an entry less than `apart` pixels after the previous mark shares it. */
export function marksOf(
  entries: readonly StoryEntry[],
  { from, until }: { from: number; until: number },
  { width, apart }: { width: number; apart: number },
): StoryMark[] {
  const marks: { place: number; entries: StoryEntry[] }[] = [];
  for (const entry of entries) {
    if (entry.at < from || entry.at > until) continue;
    const place = (entry.at - from) / (until - from);
    const last = marks.at(-1);
    if (last && (place - last.place) * width < apart) last.entries.push(entry);
    else marks.push({ place, entries: [entry] });
  }
  return marks;
}
