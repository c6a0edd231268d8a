/** Exit codes of every command. */
export const ExitCode = {
  Done: 0,
  Failed: 1,
  /** Wrong usage or wrong input: the same command would fail again. */
  BadInput: 2,
  /** Only for `plumbline status`: no product answers. */
  NotRunning: 3,
  /** Ended by Ctrl-C, as shells report it (128 + SIGINT). */
  Interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** An error that its message explains: no stack trace is shown. */
export class CliError extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode = ExitCode.Failed,
  ) {
    super(message);
  }
}

/** A parameter or a combination of parameters that is invalid. */
export class UsageError extends CliError {
  constructor(message: string) {
    super(message, ExitCode.BadInput);
  }
}

/** A rule that the input violates, with the number of the line, from 1. */
export interface BrokenRule {
  line: number;
  rule: string;
}

/** Maximum number of invalid lines that are shown, each with its problem: enough to see what they have in common. */
export const MAX_SHOWN_LINES = 3;

/** Input that violates rules: the first invalid lines, and their total number. */
export class InputError extends CliError {
  readonly line: number;
  readonly rule: string;

  /**
   * @param broken the first invalid lines, at least one
   * @param total number of all invalid lines, including those
   */
  constructor(source: string, broken: readonly BrokenRule[], total = broken.length) {
    const shown = broken.slice(0, MAX_SHOWN_LINES).map(({ line, rule }) => `${source}, line ${line}: ${rule}`);
    const more = total - shown.length;
    super(
      [...shown, ...(more > 0 ? [`and ${more.toLocaleString('en')} more wrong lines`] : [])].join('\n'),
      ExitCode.BadInput,
    );
    this.line = broken[0]!.line;
    this.rule = broken[0]!.rule;
  }
}
