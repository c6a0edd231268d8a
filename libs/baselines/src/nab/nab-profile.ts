/** The weights of a detection, a false alarm and a missed window for a kind of user. */
export interface NabProfile {
  name: string;
  /** Weight of a window that is found at its start. */
  found: number;
  /** Weight of one false alarm row far away from any window. */
  falseAlarm: number;
  /** Weight of a window without a detection. */
  missed: number;
}

/** The three application profiles of the Numenta Anomaly Benchmark. Source: `config/profiles.json` of numenta/NAB. */
export const NAB_PROFILES = [
  { name: 'standard', found: 1, falseAlarm: 0.11, missed: 1 },
  { name: 'low FP', found: 1, falseAlarm: 0.22, missed: 1 },
  { name: 'low FN', found: 1, falseAlarm: 0.11, missed: 2 },
] as const satisfies readonly NabProfile[];
