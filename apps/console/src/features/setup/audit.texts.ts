import { countOf } from '../../lib/numbers';

export const texts = {
  title: 'Audit log',
  onlyAdmins: 'The audit log is for administrators.',
  intro: 'Who changed what, for 400 days. Secrets appear as “changed”.',
  count: (count: number) => `${countOf(count, 'entry', 'entries')} in the window above.`,
  columns: { time: 'Time', who: 'Who', action: 'What', object: 'Object', changes: 'Changes', from: 'From' },
  action: 'Action begins with',
  actionHint: 'token., watcher.update',
  object: 'Kind of object',
  anyObject: 'Everything',
  user: 'Who',
  anyUser: 'Everyone',
  token: (ref: string) => `token ${ref}`,
  actors: { system: 'Plumbline', operator: 'operator', user: 'someone', token: 'a token' },
  change: (field: string, before: string, after: string) => `${field}: ${before} → ${after}`,
  unset: '–',
  empty: 'none',
  none: 'Nothing was changed',
  request: (id: string) => `Request ${id}`,
  more: (count: number) => `and ${countOf(count, 'change')} more`,
} as const;
