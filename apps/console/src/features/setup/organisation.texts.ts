import { countOf, countText } from '../../lib/numbers';

export const texts = {
  onlyAdmins: 'Administrators change these settings.',
  general: 'Name and time zone',
  name: 'Name',
  noName: 'Give it a name.',
  timezone: 'Time zone',
  timezoneHint: 'Days and weeks of all metrics are counted in it, and pages and messages show it.',
  zoneCost:
    'With another zone the days of all metrics begin at another hour: daily and weekly patterns fit again after some days.',
  saved: 'Saved.',
  undo: 'Undo',

  variables: 'How data is kept and analysed',
  variablesText: 'What each change costs is shown before you save it.',
  fields: {
    retention_1_resolution_seconds: 'Length of a slot',
    retention_1_period_seconds: 'Every slot is kept for',
    retention_2_resolution_seconds: 'Length of a roll-up',
    retention_2_period_seconds: 'Roll-ups are kept for',
    default_data_frequency_seconds: 'Assumed interval of new metrics',
    default_analysis_period_1_seconds: 'Length of short patterns',
    default_analysis_period_2_seconds: 'Length of middle patterns',
    long_term_pattern_length_seconds: 'Length of long-term patterns',
    metric_limit: 'Most metrics',
  },
  hints: {
    retention_1_resolution_seconds: 'Points are put into slots of this length.',
    retention_1_period_seconds: '1 to 30 days; older slots become roll-ups.',
    retention_2_resolution_seconds: '60 to 3,600 seconds, a multiple of the length of a slot.',
    retention_2_period_seconds: 'Up to 1,825 days; also the longest window that can be shown.',
    default_data_frequency_seconds: '10 to 3,600 seconds; until two points have arrived.',
    default_analysis_period_1_seconds: '0.25 to 2 days.',
    default_analysis_period_2_seconds: '2 to 14 days, at most as long as every slot is kept.',
    long_term_pattern_length_seconds: '14 to 90 days.',
    metric_limit: 'Empty: no limit. New metrics beyond it are refused.',
  },
  units: { s: 'seconds', d: 'days', n: 'metrics' },
  none: 'none',
  badNumber: 'This is not a number.',
  costs: 'What this changes',
  fromTo: (name: string, before: string, after: string) => `${name}: ${before} → ${after}.`,
  cost: {
    slot: 'Every metric is relearned from its next points: open anomalies close, the range takes 100 points, days and weeks take longer. Stored data stays as it is.',
    slotsShorter: 'Older slots become roll-ups within the hour. That cannot be undone: the fine values are gone.',
    slotsLonger: 'What is still there is kept longer; what was rolled up stays so. Takes more disk space.',
    rollUp: 'Holds for days that are rolled up from now on; older ones stay as they are.',
    rollUpsShorter:
      'Older data, anomalies and matches are deleted within a day, and longer windows are refused at once. That cannot be undone.',
    rollUpsLonger: 'What is still there is kept longer. Takes more disk space.',
    frequency: 'At once, for metrics that are still unknown.',
    pattern: 'Kept, and has no other effect: seasonal patterns are found in the data.',
    longPattern: 'Holds for long-term patterns that are trained from now on.',
    limitLower: 'New metrics are refused within five seconds once the limit is reached; known ones go on.',
    limitHigher: 'New metrics are taken again within five seconds.',
  },
  savedVariables: 'The settings are saved.',
  save: 'Save these changes',

  quota: 'Quota',
  quotaUsed: (used: number) => `${countOf(used, 'metric')} count against the quota.`,
  quotaOf: (used: number, limit: number, left: number) =>
    `${countText(used)} of ${countOf(limit, 'metric')} used, ${countText(left)} left.`,
  remove: 'Take metrics out of the quota',
  removeText:
    'For metrics that are no longer wanted. They leave lists and analysis, their anomalies close, and their fine values are dropped. Stop the sender first: a metric that sends again counts again.',
  removeChips: 'Metrics to take out',
  dryRun: (count: number, left: number) =>
    `${countOf(count, 'metric')} would be taken out; ${countText(left)} would still count.`,
  dryRunNone: 'No metric that counts fits.',
  andMore: (count: number) => `and ${countText(count)} more`,
  removeButton: (count: number) => `Take out ${countOf(count, 'metric')}…`,
  removeTitle: (count: number) => `Take ${countOf(count, 'metric')} out of the quota?`,
  removeConfirm:
    'Open anomalies close and the fine values of the last days are dropped. That cannot be undone. Patterns and history stay, and are back when the metric sends again.',
  removeNow: 'Take out',
  removed: (count: number) => `${countOf(count, 'metric')} taken out of the quota.`,
} as const;
