/** Exit codes of every command. */
export const ExitCode = {
  Done: 0,
  Failed: 1,
  /** Wrong usage or wrong input: running it again the same way cannot work. */
  BadInput: 2,
  /** `plumbline status` alone: no product answers. */
  NotRunning: 3,
  /** Ended by Ctrl-C, as shells report it (128 + SIGINT). */
  Interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** An end of the command that is explained by its message alone: no stack trace is shown. */
export class CliError extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode = ExitCode.Failed,
  ) {
    super(message);
  }
}

/** A parameter or a combination of them that makes no sense. */
export class UsageError extends CliError {
  constructor(message: string) {
    super(message, ExitCode.BadInput);
  }
}

/** A rule that the input breaks, and the line (from 1) that breaks it. */
export interface BrokenRule {
  line: number;
  rule: string;
}

/** Maximum number of shown wrong lines, each with its problem: enough to see what they have in common. */
export const MAX_SHOWN_LINES = 3;

/** Input that breaks rules: the first lines that do, and how many there are. */
export class InputError extends CliError {
  readonly line: number;
  readonly rule: string;

  /**
   * @param broken the first wrong lines, one at least
   * @param total all wrong lines, those included
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
