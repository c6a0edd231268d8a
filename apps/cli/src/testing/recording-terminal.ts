import { type Terminal } from '../terminal.js';

/** The output of a command. */
export interface Written {
  out: string;
  err: string;
}

/** A terminal without a user: it passes `stdin` to the command and records its output. */
export function recordingTerminal(stdin = ''): { terminal: Terminal; written: Written } {
  const written: Written = { out: '', err: '' };
  async function* input(): AsyncGenerator<string> {
    yield stdin;
  }
  const terminal: Terminal = {
    stdin: input(),
    out: (text) => (written.out += text),
    err: (text) => (written.err += text),
    isInteractive: false,
    columns: 160,
    interruption: () => new AbortController().signal,
  };
  return { terminal, written };
}
