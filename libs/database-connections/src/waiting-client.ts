import { type Socket } from 'node:net';
import pg from 'pg';

/** Members that pg has for its connection; its types omit them. */
interface Connected {
  connection: { stream: Socket };
}

/**
 * For the option `Client` of a pool: clients that give up their connection when the server owes them an answer for too
 * long. TCP itself sends a question again for a quarter of an hour, and does not look whether the other machine is
 * there in the meantime. A query that is only abandoned (`query_timeout` of pg) would leave its connection to the next
 * one.
 * @param timeoutMs longer than any statement may take
 */
export function clientThatWaits(timeoutMs: number): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // By now the stream is the encrypted one, if there is one.
      this.once('connect', () => giveUpAfter((this as unknown as Connected).connection.stream, timeoutMs));
    }
  };
}

function giveUpAfter(stream: Socket, timeoutMs: number): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  // Bytes read at the latest check. No listener of the data counts it: pg-copy-streams wants to be the only one.
  let readBefore = -1;
  stream.write = (...args: unknown[]): boolean => {
    readBefore = stream.bytesRead;
    return write(...args);
  };
  // Runs from the latest write or read.
  stream.setTimeout(timeoutMs, () => {
    if (stream.bytesRead !== readBefore) return;
    stream.destroy(new Error(`The database has not answered for ${String(Math.round(timeoutMs / 1000))} s`));
  });
}
