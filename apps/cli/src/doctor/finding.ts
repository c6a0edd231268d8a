/** The state of a part of the installation. `warning`: it works, but something should be done about it. */
export type FindingState = 'ok' | 'warning' | 'failed';

/** A line of `plumbline doctor`. None of its texts contains a secret. */
export interface Finding {
  /** The checked subject in one or two words. */
  check: string;
  state: FindingState;
  /** The result. */
  message: string;
  /** The required action; null if it is ok. */
  advice: string | null;
}

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message, advice: null });

export const warning = (check: string, message: string, advice: string): Finding => ({
  check,
  state: 'warning',
  message,
  advice,
});

export const failed = (check: string, message: string, advice: string): Finding => ({
  check,
  state: 'failed',
  message,
  advice,
});

const STATE_WIDTH = 'warning'.length;
const CHECK_WIDTH = 'management port'.length;

/** A line for people, and a line below it with the required action. */
export function findingText({ check, state, message, advice }: Finding): string {
  const line = `${state.padEnd(STATE_WIDTH)}  ${check.padEnd(CHECK_WIDTH)}  ${message}\n`;
  return advice === null ? line : `${line}${' '.repeat(STATE_WIDTH + CHECK_WIDTH + 4)}-> ${advice}\n`;
}

/** Keys in snake_case, as in the API. */
export function findingsJson(findings: readonly Finding[]): object {
  const worst = (['failed', 'warning'] as const).find((state) => findings.some((finding) => finding.state === state));
  return { state: worst ?? 'ok', checks: findings };
}
