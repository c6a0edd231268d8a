import { bodyOf, bodyOfExclusion, changesOf, draftOf, endOf, lackOf, newDraft, wholeBodyOf } from './exclusion-form';

const at = (text: string): number => Date.parse(text) / 1000;
const NOON = at('2025-10-12T12:00:00Z');

describe('newDraft', () => {
  it('proposes the next night in the time zone of the page', () => {
    expect(newDraft([], NOON, 'Etc/UTC')).toMatchObject({ from: '2025-10-13T02:00', until: '2025-10-13T04:00' });
    expect(newDraft([], at('2025-10-12T23:30:00Z'), 'Europe/Berlin')).toMatchObject({ from: '2025-10-13T02:00' });
    expect(newDraft([], at('2025-10-12T00:30:00Z'), 'Europe/Berlin')).toMatchObject({ from: '2025-10-13T02:00' });
  });
});

describe('bodyOf', () => {
  const draft = newDraft(['db-*'], NOON, 'Europe/Berlin');

  it('contains the start and end of a one-time exclusion', () => {
    expect(bodyOf(draft, 'Europe/Berlin')).toEqual({
      type: 'alerting',
      chips: ['db-*'],
      reason: '',
      from: at('2025-10-13T00:00:00Z'),
      until: at('2025-10-13T02:00:00Z'),
    });
  });

  it('contains the days and the duration of a weekly exclusion, even across midnight', () => {
    const body = bodyOf({ ...draft, repeats: 'weekly', days: ['sat', 'sun'], start: '23:00', end: '01:30' }, 'Etc/UTC');
    expect(body).toMatchObject({
      recurrence_days: ['sat', 'sun'],
      recurrence_start: '23:00',
      recurrence_duration_seconds: 9000,
    });
    expect(body).not.toHaveProperty('from');
  });

  it('contains no times for a type without times', () => {
    expect(bodyOf({ ...draft, type: 'analysis' }, 'Etc/UTC')).toEqual({
      type: 'analysis',
      chips: ['db-*'],
      reason: '',
    });
  });
});

describe('lackOf', () => {
  const draft = newDraft(['db-*'], NOON, 'Etc/UTC');

  it('returns null for a complete draft', () => {
    expect(lackOf(draft, 'Etc/UTC')).toBeNull();
  });

  it('returns the name of the missing or invalid field', () => {
    expect(lackOf({ ...draft, chips: [] }, 'Etc/UTC')).toBe('chips');
    expect(lackOf({ ...draft, until: draft.from }, 'Etc/UTC')).toBe('times');
    expect(lackOf({ ...draft, from: '' }, 'Etc/UTC')).toBe('times');
    expect(lackOf({ ...draft, repeats: 'weekly', days: [] }, 'Etc/UTC')).toBe('days');
    expect(lackOf({ ...draft, repeats: 'weekly', start: '' }, 'Etc/UTC')).toBe('times');
  });

  it('ignores the times when the exclusion has none', () => {
    expect(lackOf({ ...draft, from: '', repeats: 'always' }, 'Etc/UTC')).toBeNull();
    expect(lackOf({ ...draft, from: '', type: 'stale_alert' }, 'Etc/UTC')).toBeNull();
  });
});

describe('a weekly exclusion', () => {
  const recurrence = { days: ['sun' as const], start: '23:00', duration_seconds: 9000, timezone: 'Etc/UTC' };

  it('has an end as a time of day', () => {
    expect(endOf(recurrence)).toBe('01:30');
  });

  it('can be recreated from its stored form', () => {
    const exclusion = {
      id: 3,
      type_id: 4,
      type: 'alerting' as const,
      chips: ['db-*'],
      reason: 'backups',
      metrics_count: 2,
      from_timestamp: null,
      until_timestamp: null,
      recurrence,
      active: false,
      created_timestamp: NOON,
      created_by: 1,
      created_by_display_name: 'Ann',
    };
    expect(bodyOfExclusion(exclusion)).toEqual({
      type: 'alerting',
      chips: ['db-*'],
      reason: 'backups',
      recurrence_days: ['sun'],
      recurrence_start: '23:00',
      recurrence_duration_seconds: 9000,
    });
  });
});

describe('editing an exclusion', () => {
  const once = {
    id: 7,
    type_id: 4,
    type: 'alerting' as const,
    chips: ['db-*'],
    reason: 'disks',
    metrics_count: 3,
    from_timestamp: at('2025-10-13T00:00:00Z'),
    until_timestamp: at('2025-10-13T02:00:00Z'),
    recurrence: null,
    active: false,
    created_timestamp: NOON,
    created_by: 1,
    created_by_display_name: 'Ann',
  };
  const weekly = {
    ...once,
    until_timestamp: null,
    recurrence: {
      days: ['sat' as const, 'sun' as const],
      start: '23:00',
      duration_seconds: 9000,
      timezone: 'Europe/Berlin',
    },
  };
  const always = { ...once, type: 'analysis' as const, type_id: 1, from_timestamp: null, until_timestamp: null };

  it.each([
    ['once', once],
    ['weekly', weekly],
    ['always', always],
  ])('sends nothing for an unchanged %s exclusion', (repeats, exclusion) => {
    const draft = draftOf(exclusion, NOON, 'Europe/Berlin');
    expect(draft.repeats).toBe(repeats);
    expect(changesOf(draft, draft, 'Europe/Berlin')).toEqual({});
    expect(lackOf(draft, 'Europe/Berlin', draft)).toBeNull();
  });

  it('sends only changed fields', () => {
    const before = draftOf(once, NOON, 'Europe/Berlin');
    expect(before).toMatchObject({ from: '2025-10-13T02:00', until: '2025-10-13T04:00' });
    expect(changesOf(before, { ...before, reason: ' cables ' }, 'Europe/Berlin')).toEqual({ reason: 'cables' });
    expect(changesOf(before, { ...before, until: '2025-10-13T05:00' }, 'Europe/Berlin')).toMatchObject({
      from: at('2025-10-13T00:00:00Z'),
      until: at('2025-10-13T03:00:00Z'),
      recurrence_days: [],
    });
  });

  it('clears times that no longer apply', () => {
    const before = draftOf(once, NOON, 'Etc/UTC');
    const cleared = {
      from: null,
      until: null,
      recurrence_days: [],
      recurrence_start: null,
      recurrence_duration_seconds: null,
    };
    expect(changesOf(before, { ...before, repeats: 'always' }, 'Etc/UTC')).toEqual(cleared);
    expect(changesOf(before, { ...before, type: 'analysis' }, 'Etc/UTC')).toEqual({ type: 'analysis', ...cleared });
  });

  it('keeps the time of day and the duration when the days of a weekly exclusion change', () => {
    const before = draftOf(weekly, NOON, 'Etc/UTC');
    const body = changesOf(before, { ...before, days: ['sun'] }, 'Etc/UTC');
    expect(body).toEqual({ recurrence_days: ['sun'], recurrence_start: '23:00', recurrence_duration_seconds: 9000 });
  });

  it('requires complete times for an exclusion with an open end only if its times change', () => {
    const before = draftOf({ ...once, until_timestamp: null }, NOON, 'Etc/UTC');
    expect(lackOf({ ...before, reason: 'x' }, 'Etc/UTC', before)).toBeNull();
    expect(lackOf({ ...before, from: '2025-10-14T00:00' }, 'Etc/UTC', before)).toBe('times');
  });

  it('sends every field for an undo', () => {
    expect(wholeBodyOf(once)).toEqual({
      type: 'alerting',
      chips: ['db-*'],
      reason: 'disks',
      from: once.from_timestamp,
      until: once.until_timestamp,
      recurrence_days: [],
      recurrence_start: null,
      recurrence_duration_seconds: null,
    });
  });
});
