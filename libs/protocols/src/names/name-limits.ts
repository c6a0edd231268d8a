/** Characters and labels a metric name may have. */
export interface NameLimits {
  maxLabels: number;
  maxNameLength: number;
}

export const DEFAULT_NAME_LIMITS: NameLimits = { maxLabels: 40, maxNameLength: 1024 };
