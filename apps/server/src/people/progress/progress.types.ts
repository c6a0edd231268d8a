export const PROGRESS_TYPES = [
  'onboarding',
  'tour',
  'training',
  'quota_removal',
  'metric_removal',
  'backfill',
  'replay',
] as const;
export type ProgressType = (typeof PROGRESS_TYPES)[number];

/** The last three are final. */
export const PROGRESS_STATUSES = ['queued', 'running', 'finished', 'failed', 'cancelled'] as const;
export type ProgressStatus = (typeof PROGRESS_STATUSES)[number];

/** As stored. */
export interface ProgressStep {
  key: string;
  title: string;
  done: boolean;
  /** Unix seconds at which it was done; null if it is not done. */
  timestamp: number | null;
  /** True if the service itself has observed that it was done: people cannot unmark it. */
  observed?: boolean;
}

export interface NewProgress {
  orgId: number;
  /** The user who started it; null or omitted: the service itself. */
  userId?: number | null;
  type: ProgressType;
  /** For people: "Building 2 patterns". */
  title: string;
  /** Omitted for work that reports its percentage instead. */
  steps?: readonly { key: string; title: string }[];
  /** True if users may cancel it. The worker has to check for it: see `ProgressService.onCancel`. */
  cancellable?: boolean;
  /** `queued` until work on it starts; default `running`. */
  status?: 'queued' | 'running';
  message?: string;
}
