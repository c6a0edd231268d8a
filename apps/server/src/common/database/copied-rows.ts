import { buffer } from 'node:stream/consumers';
import { type ClientBase } from 'pg';
import copyStreams from 'pg-copy-streams';
import { type DataSource } from 'typeorm';

/** Signature, flags, and the length of the optional parts after them. */
const HEADER_BYTES = 19;
const EXTENSION_AT = 15;

/**
 * The results of a query as rows of raw fields, numbers big-endian; null fields are not expected. For large binary
 * columns: in the text format, which the driver uses, every byte would take two characters.
 * @param query without parameters; all of its text must come from the program
 */
export async function copiedRows(dataSource: DataSource, query: string): Promise<Buffer[][]> {
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as ClientBase;
    return rowsOf(await buffer(client.query(copyStreams.to(`COPY (${query}) TO STDOUT (FORMAT binary)`))));
  } finally {
    await runner.release();
  }
}

function rowsOf(bytes: Buffer): Buffer[][] {
  const rows: Buffer[][] = [];
  let at = HEADER_BYTES + bytes.readInt32BE(EXTENSION_AT);
  for (;;) {
    const fields = bytes.readInt16BE(at);
    at += 2;
    if (fields < 0) return rows;
    const row: Buffer[] = [];
    for (let n = 0; n < fields; n++) {
      const end = at + 4 + bytes.readInt32BE(at);
      row.push(bytes.subarray(at + 4, end));
      at = end;
    }
    rows.push(row);
  }
}
