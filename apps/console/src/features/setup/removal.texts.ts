import { countOf, countText } from '../../lib/numbers';

export const texts = {
  onlyAdmins: 'Data is removed by administrators.',
  intro:
    'For metrics that are no longer sent, removing them from the quota is enough: they disappear from lists and analysis, and return with their patterns. See',
  quota: 'Organisation, Quota',

  erase: 'Erase a metric',
  eraseText:
    'Its points, its anomalies and everything learnt from it are deleted. Stop the sender first: its next point creates the metric again.',
  metric: 'Metric',
  metricHint: 'Full name, with labels',
  noMetric: 'There is no metric with this name.',
  wouldGo: 'Would be deleted',
  counts: {
    points: (count: number) => countOf(count, 'point'),
    anomalies: (count: number) => countOf(count, 'anomaly', 'anomalies'),
    matches: (count: number) => countOf(count, 'match', 'matches'),
    patterns: (count: number) => countOf(count, 'pattern'),
  },
  eraseButton: 'Erase this metric…',
  eraseTitle: 'Erase this metric?',
  eraseConfirm: 'This cannot be undone.',
  eraseNow: 'Erase',
  erased: (metric: string) => `${metric} is erased`,
  eraseGoesOn: (metric: string) => `${metric} is being erased: its points are deleted in the background`,

  org: 'Delete the organisation',
  orgText: 'All of its data is deleted, for everyone in it.',
  orgCounts: (metrics: number, patterns: number, watchers: number, people: number) =>
    [
      `${countOf(metrics, 'metric')} with all points and anomalies`,
      countOf(patterns, 'pattern'),
      countOf(watchers, 'watcher'),
      `${countOf(people, 'account')}, yours too`,
    ].join(', '),
  orgAlso: 'Also all tokens, settings, messages and the audit log. A subscription ends.',
  orgNotLast: (others: number) =>
    `Only the last administrator can do this. There ${others === 1 ? 'is' : 'are'} ${countText(others)} more: remove them at “People” first, or make them normal users.`,
  orgButton: 'Delete the organisation…',
  orgTitle: (name: string) => `Delete ${name}?`,
  orgConfirm:
    'All sessions end at once, tokens within five seconds, and the data is erased within a day. This cannot be undone: export the configuration first if you may need it again.',
  orgName: (name: string) => `Type the name of the organisation: ${name}`,
  orgPassword: 'Your password',
  orgNow: 'Delete everything',
  showPassword: 'Show or hide the password',
  wrongPassword: 'This is not your password.',
} as const;
