import { type Socket } from 'node:net';
import pg from 'pg';

/** Members of a client of pg that its types omit. */
interface Connected {
  connection: { stream: Socket };
}

/**
 * Returns a class for the option `Client` of a pool: its clients close their connection when the server has owed them
 * an answer for too long. TCP itself retransmits a request for a quarter of an hour, and does not check in the meantime
 * whether the other machine is still there. A query that is only abandoned (`query_timeout` of pg) would leave its
 * connection to the next one.
 * @param timeoutMs longer than any statement may take
 */
export function clientThatWaits(timeoutMs: number): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      // At this point, the stream is the encrypted one if TLS is used.
      this.once('connect', () => giveUpAfter((this as unknown as Connected).connection.stream, timeoutMs));
    }
  };
}

function giveUpAfter(stream: Socket, timeoutMs: number): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  // Bytes that had been read at the latest write. They are not counted by a listener, because pg-copy-streams must be
  // the only listener of the data.
  let readBefore = -1;
  stream.write = (...args: unknown[]): boolean => {
    readBefore = stream.bytesRead;
    return write(...args);
  };
  // The timeout restarts with every write and read.
  stream.setTimeout(timeoutMs, () => {
    if (stream.bytesRead !== readBefore) return;
    stream.destroy(new Error(`The database has not answered for ${String(Math.round(timeoutMs / 1000))} s`));
  });
}
