/** The input and output of a command; tests pass their own. */
export interface Terminal {
  stdin: AsyncIterable<Buffer | string>;
  /** Results. */
  out(text: string): void;
  /** Progress, notes and errors. */
  err(text: string): void;
  /** True if standard error is a terminal: bars are only drawn there. */
  isInteractive: boolean;
  /** Characters per line of standard output. */
  columns: number;
  /**
   * After the first call, Ctrl-C aborts this signal instead of ending the process: for commands that must finish
   * something.
   */
  interruption(): AbortSignal;
}

const COLUMNS_OF_A_FILE = 160;

export function processTerminal(): Terminal {
  return {
    stdin: process.stdin,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    isInteractive: process.stderr.isTTY,
    columns: process.stdout.isTTY ? process.stdout.columns : COLUMNS_OF_A_FILE,
    interruption: () => {
      const controller = new AbortController();
      process.once('SIGINT', () => controller.abort());
      return controller.signal;
    },
  };
}
