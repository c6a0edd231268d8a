import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';

/* PostgreSQL's binary COPY format: a header, then per row the number of fields and each field with its length. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const HEADER = Buffer.concat([SIGNATURE, Buffer.alloc(8)]);
const END = Buffer.of(0xff, 0xff);

/** Results of a query as rows of raw fields (big-endian numbers); null fields are not expected. */
export async function readRows(client: pg.ClientBase, query: string): Promise<Buffer[][]> {
  const stream = client.query(copyStreams.to(`COPY (${query}) TO STDOUT (FORMAT binary)`));
  const bytes = await buffer(stream);
  const rows: Buffer[][] = [];
  let at = HEADER.length + bytes.readInt32BE(SIGNATURE.length + 4);
  for (;;) {
    const fields = bytes.readInt16BE(at);
    at += 2;
    if (fields < 0) return rows;
    const row: Buffer[] = [];
    for (let n = 0; n < fields; n++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      row.push(bytes.subarray(at, at + length));
      at += length;
    }
    rows.push(row);
  }
}

/** A 64-bit integer within the exact range of float64. */
export function readInt64(field: Buffer): number {
  return field.readInt32BE(0) * 2 ** 32 + field.readUInt32BE(4);
}

/** Rows for COPY, collected in memory. */
export class CopyRows {
  private readonly finished: Buffer[] = [];
  private current = Buffer.allocUnsafe(65_536);
  private used = 0;
  private finishedBytes = 0;
  count = 0;

  constructor(private readonly fields: number) {}

  get byteLength(): number {
    return this.finishedBytes + this.used;
  }

  beginRow(): void {
    this.reserve(2);
    this.used = this.current.writeInt16BE(this.fields, this.used);
    this.count++;
  }

  int32(value: number): void {
    this.reserve(8);
    this.used = this.current.writeInt32BE(4, this.used);
    this.used = this.current.writeInt32BE(value, this.used);
  }

  int64(value: number): void {
    this.reserve(12);
    this.used = this.current.writeInt32BE(8, this.used);
    this.used = this.current.writeInt32BE(Math.floor(value / 2 ** 32), this.used);
    this.used = this.current.writeUInt32BE(value % 2 ** 32, this.used);
  }

  int16(value: number): void {
    this.reserve(6);
    this.used = this.current.writeInt32BE(2, this.used);
    this.used = this.current.writeInt16BE(value, this.used);
  }

  bytes(value: Uint8Array): void {
    this.reserve(4 + value.length);
    this.used = this.current.writeInt32BE(value.length, this.used);
    this.current.set(value, this.used);
    this.used += value.length;
  }

  /** Sends the rows and discards them. `target` is a table with its columns. */
  async send(client: pg.ClientBase, target: string): Promise<void> {
    if (this.count === 0) return;
    const parts = [HEADER, ...this.finished, this.current.subarray(0, this.used), END];
    await pipeline(Readable.from(parts), client.query(copyStreams.from(`COPY ${target} FROM STDIN (FORMAT binary)`)));
    this.finished.length = 0;
    this.finishedBytes = 0;
    // The sent bytes may still be in transfer.
    this.current = Buffer.allocUnsafe(65_536);
    this.used = 0;
    this.count = 0;
  }

  private reserve(bytes: number): void {
    if (this.used + bytes <= this.current.length) return;
    this.finished.push(this.current.subarray(0, this.used));
    this.finishedBytes += this.used;
    this.current = Buffer.allocUnsafe(Math.max(262_144, bytes));
    this.used = 0;
  }
}
