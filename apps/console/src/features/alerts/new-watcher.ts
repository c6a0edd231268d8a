import { type Schema } from '../../lib/api';

/** Messages a week that the slider offers; null: all that fit. */
export const BUDGETS: readonly (number | null)[] = [0.25, 0.5, 1, 2, 3, 5, 10, 20, 50, null];
export const DEFAULT_BUDGET = 3;
export const REPLAY_DAYS = 28;

/** What is typed in the editor, before it is a watcher. */
export interface WatcherDraft {
  name: string;
  chips: readonly string[];
  /** Messages a week; null: no budget. */
  budget: number | null;
  minSeverity: number;
  mailTo: readonly number[];
}

/** Members of POST /watcher/preview that decide what would be sent. */
export const previewBody = ({ chips, budget, minSeverity }: WatcherDraft) => ({
  chips: [...chips],
  alert_budget_per_week: budget,
  min_severity: minSeverity,
});

/** Members of POST /watcher. */
export const watcherBody = (draft: WatcherDraft) => ({
  ...previewBody(draft),
  ...(draft.name.trim() === '' ? {} : { name: draft.name.trim() }),
  alert: true,
  email_users: [...draft.mailTo],
});

export interface ReplayDay {
  /** `2025-10-09`, in the zone of the organisation. */
  date: string;
  sent: number;
  keptBack: number;
}

/** Every day of the replay in rows of a week, the days that nothing happened on among them. */
export function weeksOf(
  perDay: readonly Schema<'PreviewedDayDto'>[],
  lastDate: string,
  days = REPLAY_DAYS,
): ReplayDay[][] {
  const byDate = new Map(perDay.map((day) => [day.date, day]));
  const last = Date.parse(`${lastDate}T00:00:00Z`);
  const all = Array.from({ length: days }, (_, i) => {
    const date = new Date(last - (days - 1 - i) * 86_400_000).toISOString().slice(0, 10);
    const day = byDate.get(date);
    return { date, sent: day?.alerts ?? 0, keptBack: day?.suppressed ?? 0 };
  });
  return Array.from({ length: Math.ceil(days / 7) }, (_, i) => all.slice(i * 7, i * 7 + 7));
}
