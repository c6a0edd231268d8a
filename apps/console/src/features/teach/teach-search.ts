export const TABS = ['matches', 'patterns', 'tunings', 'noisy'] as const;
export type Tab = (typeof TABS)[number];

/** Parameters of `/teach`. */
export interface TeachSearch {
  tab?: Tab;
  /** The noisy metric whose suggestion is shown. */
  metric?: string;
}

export function validateTeachSearch({ tab, metric }: Record<string, unknown>): TeachSearch {
  const search: TeachSearch = {};
  const known = TABS.find((name) => name === tab);
  if (known !== undefined && known !== 'matches') search.tab = known;
  if (typeof metric === 'string') search.metric = metric;
  return search;
}

/** Parameters of `/tuning/new`: the initial values of the form. */
export interface NewTuningSearch {
  metric?: string;
  chips?: string[];
  sensitivity?: number;
  direction?: 'up' | 'down';
  min_duration_seconds?: number;
}

export function validateNewTuningSearch(raw: Record<string, unknown>): NewTuningSearch {
  const search: NewTuningSearch = {};
  if (typeof raw.metric === 'string') search.metric = raw.metric;
  if (Array.isArray(raw.chips)) search.chips = raw.chips.filter((chip): chip is string => typeof chip === 'string');
  const sensitivity = Number(raw.sensitivity);
  if (sensitivity >= 0.25 && sensitivity <= 4) search.sensitivity = sensitivity;
  if (raw.direction === 'up' || raw.direction === 'down') search.direction = raw.direction;
  const seconds = Number(raw.min_duration_seconds);
  if (Number.isInteger(seconds) && seconds > 0 && seconds <= 86_400) search.min_duration_seconds = seconds;
  return search;
}

/** Parameters of pages that draw curves over each other. */
export interface ScaleSearch {
  scale?: 'own';
}

export const validateScaleSearch = ({ scale }: Record<string, unknown>): ScaleSearch =>
  scale === 'own' ? { scale } : {};
