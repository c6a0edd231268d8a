import { countOf, countText } from '../../lib/numbers';

export const texts = {
  onlyAdmins: 'Administrators change these settings.',
  general: 'Name and time zone',
  name: 'Name',
  noName: 'Give it a name.',
  timezone: 'Time zone',
  timezoneHint: 'It defines days and weeks for all metrics, and pages and messages use it.',
  zoneCost:
    'In another time zone, days begin at another hour for all metrics: daily and weekly patterns adapt within some days.',
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
    default_analysis_period_2_seconds: 'Length of medium patterns',
    long_term_pattern_length_seconds: 'Length of long-term patterns',
    metric_limit: 'Maximum number of metrics',
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
    slot: 'Every metric is relearnt from its next points: open anomalies close, the range needs 100 points, daily and weekly patterns need longer. Stored data does not change.',
    slotsShorter:
      'Older slots become roll-ups within the hour. This cannot be undone: the original values are deleted.',
    slotsLonger: 'Existing slots are kept longer; existing roll-ups stay roll-ups. Needs more disk space.',
    rollUp: 'Applies to days that are rolled up from now on; older ones do not change.',
    rollUpsShorter:
      'Older data, anomalies and matches are deleted within a day, and longer windows are refused immediately. This cannot be undone.',
    rollUpsLonger: 'Existing data is kept longer. Needs more disk space.',
    frequency: 'Applies immediately to new metrics.',
    pattern: 'Stored without effect: seasonal patterns are detected in the data.',
    longPattern: 'Applies to long-term patterns that are trained from now on.',
    limitLower: 'New metrics are refused within five seconds once the limit is reached; known ones continue.',
    limitHigher: 'New metrics are accepted again within five seconds.',
  },
  savedVariables: 'The settings are saved.',
  save: 'Save these changes',

  quota: 'Quota',
  quotaUsed: (used: number) => `${countOf(used, 'metric')} count against the quota.`,
  quotaOf: (used: number, limit: number, left: number) =>
    `${countText(used)} of ${countOf(limit, 'metric')} used, ${countText(left)} left.`,
  remove: 'Remove metrics from the quota',
  removeText:
    'For metrics that you no longer need. They disappear from lists and analysis, their anomalies close, and their recent values are deleted. Stop the sender first: a metric that sends again counts again.',
  removeChips: 'Metrics to remove',
  dryRun: (count: number, left: number) =>
    `${countOf(count, 'metric')} would be removed; ${countText(left)} would still count.`,
  dryRunNone: 'No matching metric counts against the quota.',
  andMore: (count: number) => `and ${countText(count)} more`,
  removeButton: (count: number) => `Remove ${countOf(count, 'metric')}…`,
  removeTitle: (count: number) => `Remove ${countOf(count, 'metric')} from the quota?`,
  removeConfirm:
    'Open anomalies close, and the values of the last days are deleted. This cannot be undone. Patterns and history are kept, and return when the metric sends again.',
  removeNow: 'Remove',
  removed: (count: number) => `${countOf(count, 'metric')} removed from the quota.`,
} as const;
