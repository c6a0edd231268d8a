import { Presets, SingleBar } from 'cli-progress';

/** What a command reads from and writes to; tests give their own. */
export interface Terminal {
  stdin: AsyncIterable<Buffer | string>;
  /** Results. */
  out(text: string): void;
  /** Progress, notes and errors. */
  err(text: string): void;
  /** True when somebody looks at standard error: only then bars are drawn. */
  isInteractive: boolean;
  /** Characters per line of standard output. */
  columns: number;
  /**
   * From the first call on Ctrl-C aborts this signal instead of ending the process: for commands that have something
   * to bring to an end.
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

export interface Progress {
  advance(by: number): void;
  stop(): void;
}

const SILENT: Progress = { advance: () => undefined, stop: () => undefined };

/** A bar on standard error while something long runs; nothing without a terminal or when `total` is not known. */
export function startProgress(terminal: Terminal, label: string, total: number | null, unit = ''): Progress {
  if (!terminal.isInteractive || total === null || total === 0) return SILENT;
  const bar = new SingleBar(
    {
      format: `${label} {bar} {percentage}%${unit === '' ? '' : ` {value}/{total} ${unit}`}`,
      stream: process.stderr,
      clearOnComplete: true,
      // Ctrl-C must not leave a terminal without cursor behind.
      hideCursor: false,
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return { advance: (by) => bar.increment(by), stop: () => bar.stop() };
}
