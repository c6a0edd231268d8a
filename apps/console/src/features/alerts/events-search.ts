import { EVENT_LEVELS, EVENT_TYPES, type EventLevel, type EventType } from '#libs/contracts';
import { pageParam, withoutGaps, choiceParam } from '../../lib/search-params';

/**
 * Groups of types by subject, in the order in which they are offered. A type belongs to the first group that matches
 * it.
 */
export const EVENT_GROUPS = ['suppressed', 'alerts', 'anomalies', 'rules', 'data', 'people'] as const;
export type EventGroup = (typeof EVENT_GROUPS)[number];

const BEGINNINGS: Readonly<Record<EventGroup, RegExp>> = {
  suppressed: /^alert_suppressed$/,
  alerts: /^(?:alert|alerts|summary|threshold|admin_alert)_/,
  anomalies: /^(?:anomaly|incident|match|pattern)_/,
  rules: /^(?:watcher|exclusion|tuning)_/,
  data: /^(?:metric|quota|ingest|data)_/,
  people: /./,
};

/** The types of a group. */
export function typesOf(group: EventGroup): EventType[] {
  return EVENT_TYPES.filter((type) => EVENT_GROUPS.find((one) => BEGINNINGS[one].test(type)) === group);
}

/** The events that the address selects. */
export interface EventsSearch {
  what?: EventGroup;
  level?: Exclude<EventLevel, 'info'>;
  metric?: string;
  page?: number;
}

/** Minimum level. */
export const levelsFrom = (level: EventLevel): EventLevel[] => EVENT_LEVELS.slice(EVENT_LEVELS.indexOf(level));

export function validateEventsSearch({ what, level, metric, page }: Record<string, unknown>): EventsSearch {
  // The router parses names that consist of digits as numbers.
  const name = typeof metric === 'string' || typeof metric === 'number' ? String(metric).trim() : '';
  return withoutGaps({
    what: choiceParam(EVENT_GROUPS, what),
    level: choiceParam(['notice', 'warning', 'alert'], level),
    metric: name === '' ? undefined : name,
    page: pageParam(page),
  });
}
