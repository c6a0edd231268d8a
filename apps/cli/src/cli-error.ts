/** Exit codes of every command. */
export const ExitCode = {
  Done: 0,
  Failed: 1,
  /** Wrong usage or wrong input: running it again the same way cannot work. */
  BadInput: 2,
  /** `plumbline status` alone: no product answers. */
  NotRunning: 3,
  /** Ended by Ctrl-C, as shells say it (128 + SIGINT). */
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
export class InputError extends CliError {
  constructor(
    source: string,
    readonly line: number,
    readonly rule: string,
  ) {
    super(`${source}, line ${line}: ${rule}`, ExitCode.BadInput);
  }
}
