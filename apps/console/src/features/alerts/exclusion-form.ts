import { type Schema } from '../../lib/api';
import { fromInputText, inputText, offsetAt } from '../../lib/time-input';

export const EXCLUSION_TYPES = ['alerting', 'learning', 'stale_alert', 'analysis'] as const;
export type ExclusionType = (typeof EXCLUSION_TYPES)[number];
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];
export const REPEATS = ['once', 'weekly', 'always'] as const;
export type Repeats = (typeof REPEATS)[number];

/** The content of the form, before it becomes an exclusion. */
export interface ExclusionDraft {
  type: ExclusionType;
  chips: readonly string[];
  reason: string;
  repeats: Repeats;
  /** Values of `datetime-local` fields, in the zone of the page. */
  from: string;
  until: string;
  /** Days on which it starts, and its times of day, in the zone of the organisation. */
  days: readonly Weekday[];
  start: string;
  end: string;
}

/** Members of POST /exclusion. */
export interface ExclusionBody {
  type: ExclusionType;
  chips: string[];
  reason: string;
  from?: number | null;
  until?: number | null;
  recurrence_days?: Weekday[];
  recurrence_start?: string | null;
  recurrence_duration_seconds?: number | null;
}

const DAY = 86_400;
const HOUR = 3600;
const NIGHT = { start: '02:00', end: '04:00' } as const;

/** The other types always apply. */
export const canBeTimed = (type: ExclusionType): boolean => type === 'alerting' || type === 'learning';

/** A maintenance window in the coming night: the most frequent case. Unix seconds. */
export function newDraft(chips: readonly string[], now: number, zone: string): ExclusionDraft {
  const midnight = Math.floor((now + offsetAt(now, zone)) / DAY) * DAY;
  const text = (localSeconds: number): string => new Date(localSeconds * 1000).toISOString().slice(0, 16);
  const tonight = fromInputText(text(midnight + 2 * HOUR), zone);
  const day = tonight !== null && tonight > now ? midnight : midnight + DAY;
  return {
    type: 'alerting',
    chips,
    reason: '',
    repeats: 'once',
    from: text(day + 2 * HOUR),
    until: text(day + 4 * HOUR),
    days: ['sun'],
    ...NIGHT,
  };
}

/** The draft of an existing exclusion, in a zone; missing times are as in a new one. Unix seconds. */
export function draftOf(exclusion: Schema<'ExclusionDto'>, now: number, zone: string): ExclusionDraft {
  const { type, chips, reason, from_timestamp: from, until_timestamp: until, recurrence } = exclusion;
  const isOnce = from !== null || until !== null;
  return {
    ...newDraft(chips, now, zone),
    type,
    reason,
    repeats: recurrence ? 'weekly' : isOnce ? 'once' : 'always',
    ...(isOnce && {
      from: from === null ? '' : inputText(from, zone),
      until: until === null ? '' : inputText(until, zone),
    }),
    ...(recurrence && { days: recurrence.days, start: recurrence.start, end: endOf(recurrence) }),
  };
}

/** True if two drafts apply at the same times. */
export function isSameSchedule(one: ExclusionDraft, other: ExclusionDraft): boolean {
  return JSON.stringify(scheduleIn(one)) === JSON.stringify(scheduleIn(other));
}

function scheduleIn({ type, repeats, from, until, days, start, end }: ExclusionDraft): unknown {
  if (!canBeTimed(type) || repeats === 'always') return 'always';
  return repeats === 'once' ? { from, until } : { days, start, end };
}

/** Why the form cannot be saved yet; null if it can. Times that are unchanged from `before` are always valid. */
export function lackOf(
  draft: ExclusionDraft,
  zone: string,
  before: ExclusionDraft | null = null,
): 'chips' | 'times' | 'days' | null {
  if (draft.chips.length === 0) return 'chips';
  if (!canBeTimed(draft.type) || draft.repeats === 'always') return null;
  if (before !== null && isSameSchedule(before, draft)) return null;
  if (draft.repeats === 'weekly') {
    if (draft.days.length === 0) return 'days';
    return secondsOfDay(draft.start) === null || secondsOfDay(draft.end) === null ? 'times' : null;
  }
  const from = fromInputText(draft.from, zone);
  const until = fromInputText(draft.until, zone);
  return from === null || until === null || from >= until ? 'times' : null;
}

/** The body for the API, from a complete draft. */
export function bodyOf(draft: ExclusionDraft, zone: string): ExclusionBody {
  const { type, reason, repeats } = draft;
  const body: ExclusionBody = { type, chips: [...draft.chips], reason: reason.trim() };
  if (!canBeTimed(type) || repeats === 'always') return body;
  if (repeats === 'once') {
    return { ...body, from: fromInputText(draft.from, zone), until: fromInputText(draft.until, zone) };
  }
  const start = secondsOfDay(draft.start) ?? 0;
  const end = secondsOfDay(draft.end) ?? 0;
  return {
    ...body,
    recurrence_days: [...draft.days],
    recurrence_start: draft.start,
    // Until the same time of the next day, if the end is not after the start.
    recurrence_duration_seconds: end > start ? end - start : end - start + DAY,
  };
}

const NO_RECURRENCE = { recurrence_days: [], recurrence_start: null, recurrence_duration_seconds: null };
const NO_TIMES = { from: null, until: null, ...NO_RECURRENCE };

/**
 * Members of PUT /exclusion: the differences from the initial draft. The first and last day of a weekly exclusion are
 * not in the form, and stay unchanged.
 */
export function changesOf(before: ExclusionDraft, draft: ExclusionDraft, zone: string): Partial<ExclusionBody> {
  const { type, chips, reason, ...times } = bodyOf(draft, zone);
  const isWeekly = before.repeats === 'weekly' && draft.repeats === 'weekly' && canBeTimed(type);
  return {
    ...(type === before.type ? {} : { type }),
    ...(JSON.stringify(chips) === JSON.stringify(before.chips) ? {} : { chips }),
    ...(reason === before.reason.trim() ? {} : { reason }),
    ...(isSameSchedule(before, draft) ? {} : { ...(isWeekly ? NO_RECURRENCE : NO_TIMES), ...times }),
  };
}

/** All members of an exclusion, for undoing a change. */
export const wholeBodyOf = (exclusion: Schema<'ExclusionDto'>): ExclusionBody => ({
  ...NO_TIMES,
  ...bodyOfExclusion(exclusion),
});

/** The same exclusion, for restoring it after it was deleted. */
export function bodyOfExclusion(exclusion: Schema<'ExclusionDto'>): ExclusionBody {
  const { type, chips, reason, from_timestamp: from, until_timestamp: until, recurrence } = exclusion;
  return {
    type,
    chips,
    reason,
    ...(from === null ? {} : { from }),
    ...(until === null ? {} : { until }),
    ...(recurrence
      ? {
          recurrence_days: recurrence.days,
          recurrence_start: recurrence.start,
          recurrence_duration_seconds: recurrence.duration_seconds,
        }
      : {}),
  };
}

/** `HH:MM` in seconds; null for any other text. */
function secondsOfDay(text: string): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined || minutes === undefined ? null : Number(hours) * HOUR + Number(minutes) * 60;
}

/** The time of day at which a recurrence ends: `04:00`. */
export function endOf({ start, duration_seconds: seconds }: Schema<'RecurrenceDto'>): string {
  const end = ((secondsOfDay(start) ?? 0) + seconds) % DAY;
  return inputText(end, 'Etc/UTC').slice(11);
}
