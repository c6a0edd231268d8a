import { type EventLevel } from '#libs/contracts';
import { countOf } from '../../lib/numbers';
import { type EventGroup } from './events-search';

export const texts = {
  list: 'Events',
  count: (count: number) => countOf(count, 'event'),
  what: 'About',
  anything: 'All events',
  groups: {
    suppressed: 'Suppressed alerts',
    alerts: 'Alerts',
    anomalies: 'Anomalies, incidents, patterns',
    rules: 'Watchers, exclusions, tunings',
    data: 'Metrics and data',
    people: 'People, settings, others',
  } as Readonly<Record<EventGroup, string>>,
  level: 'Minimum level',
  levels: { info: 'All levels', notice: 'Notices and above', warning: 'Warnings and above', alert: 'Alerts only' },
  levelNames: { info: 'info', notice: 'notice', warning: 'warning', alert: 'alert' } as Readonly<
    Record<EventLevel, string>
  >,
  none: 'No event in this window.',
  noneText: 'Everything that happens to data, alerts and settings is listed here.',
  columns: { time: 'Time', level: 'Level', event: 'Event', suppressedBy: 'Suppressed by', by: 'By' },
  suppressed: {
    expiration: 'a recent message about it',
    muted: 'alerts are muted',
    exclusion: 'an exclusion',
    acknowledged: 'it was acknowledged',
    filter: 'the filters of the watcher',
    budget: 'the budget of the watcher',
    flapping: 'it keeps opening and closing',
  } as Readonly<Record<string, string>>,
} as const;
