import { type ProgressStatus, type ProgressStep } from './progress.types.js';

/** Percentage of completed steps, rounded down; 0 without steps. */
export function percentOf(steps: readonly ProgressStep[]): number {
  if (steps.length === 0) return 0;
  return Math.floor((100 * steps.filter(({ done }) => done).length) / steps.length);
}

export const isFinal = (status: ProgressStatus): boolean => status !== 'queued' && status !== 'running';
