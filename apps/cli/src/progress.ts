import { Presets, SingleBar } from 'cli-progress';
import { type Terminal } from './terminal.js';

export interface Progress {
  advance(by: number): void;
  stop(): void;
}

const SILENT: Progress = { advance: () => undefined, stop: () => undefined };

/** A progress bar on standard error during long work; nothing without a terminal or if `total` is unknown. */
export function startProgress(terminal: Terminal, label: string, total: number | null, unit = ''): Progress {
  if (!terminal.isInteractive || total === null || total === 0) return SILENT;
  const bar = new SingleBar(
    {
      format: `${label} {bar} {percentage}%${unit === '' ? '' : ` {value}/{total} ${unit}`}`,
      stream: process.stderr,
      clearOnComplete: true,
      // Ctrl-C must not leave the terminal without a cursor.
      hideCursor: false,
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return { advance: (by) => bar.increment(by), stop: () => bar.stop() };
}
