export const COUNT_SERIES = ['anomalies', 'matches', 'alerts', 'points', 'metrics'] as const;
export type CountSeriesName = (typeof COUNT_SERIES)[number];
