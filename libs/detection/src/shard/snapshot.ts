import { B, RECORD_BYTES } from '../series/record/layout.js';
import { type SeriesDefinition } from '../types.js';
import { SeriesTable } from './series-table.js';

/**
 * A shard, or one page of it, as bytes, little-endian like the machines it runs on:
 *
 *   0  4  magic "PLDS"
 *   4  4  format version (u32)
 *   8  4  bytes of one record (u32)
 *  12  4  number of series (u32)
 *  16  4  bytes of the definitions (u32)
 *  20  4  reserved, 0
 *  24  …  definitions: a UTF-8 JSON array of KeptDefinition, padded with spaces to a multiple of 8
 *   …  …  the records (series/layout.ts) in the order of the definitions
 *
 * The version changes with the layout of a record. A snapshot of another version is refused; its definitions can still be
 * read, so that the series learn again from the points that are stored.
 */
const MAGIC = 0x53444c50;
const VERSION = 19;
const HEADER_BYTES = 24;

/** The definition of a series, for any version of its record. */
export interface KeptDefinition extends SeriesDefinition {
  /** All points were backfilled. Stored points do not show this. */
  onlyHistory?: true;
}

export class SnapshotFormatError extends Error {
  override readonly name = 'SnapshotFormatError';
}

/** The whole state of the table. */
export function writeSnapshot(table: SeriesTable): Uint8Array {
  return writeEntries(table, [...table.entries()]);
}

/** The state of the series of one page, in the order of their places. */
export function writePage(table: SeriesTable, page: number): Uint8Array {
  return writeEntries(table, table.entriesOfPage(page));
}

function writeEntries(table: SeriesTable, entries: readonly [id: number, place: number][]): Uint8Array {
  const written = JSON.stringify(entries.map(([id, place]) => keptDefinition(table, id, place)));
  const definitions = padded(new TextEncoder().encode(written));
  const bytes = new Uint8Array(HEADER_BYTES + definitions.length + entries.length * RECORD_BYTES);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, MAGIC, true);
  header.setUint32(4, VERSION, true);
  header.setUint32(8, RECORD_BYTES, true);
  header.setUint32(12, entries.length, true);
  header.setUint32(16, definitions.length, true);
  bytes.set(definitions, HEADER_BYTES);
  let at = HEADER_BYTES + definitions.length;
  for (const [, place] of entries) {
    bytes.set(table.bytesOf(place), at);
    at += RECORD_BYTES;
  }
  return bytes;
}

/** The table a snapshot was written from. Throws SnapshotFormatError for anything else. */
export function readSnapshot(bytes: Uint8Array): SeriesTable {
  const table = new SeriesTable();
  for (const { definition, record } of readEntries(bytes)) table.bytesOf(table.define(definition)).set(record);
  return table;
}

/** The part of a snapshot or of a page that `readDefinitionsOf` needs. */
export function definitionsPart(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, HEADER_BYTES + headerOf(bytes).getUint32(16, true));
}

/**
 * The series of a snapshot or of a page of any version, without the learnt state. Throws SnapshotFormatError for
 * anything else.
 */
export function readDefinitionsOf(bytes: Uint8Array): KeptDefinition[] {
  const header = headerOf(bytes);
  const end = HEADER_BYTES + header.getUint32(16, true);
  return readDefinitions(new TextDecoder().decode(bytes.subarray(HEADER_BYTES, end)));
}

function keptDefinition(table: SeriesTable, id: number, place: number): KeptDefinition {
  const definition = table.definition(id, place);
  return table.peekByte(place, B.onlyHistory) === 1 ? { ...definition, onlyHistory: true } : definition;
}

function headerOf(bytes: Uint8Array): DataView {
  if (bytes.length < HEADER_BYTES) throw new SnapshotFormatError('snapshot is shorter than its header');
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (header.getUint32(0, true) !== MAGIC) throw new SnapshotFormatError('not a snapshot of a detection shard');
  return header;
}

/** The series of a snapshot or of a page. Throws SnapshotFormatError for anything else. */
export function readEntries(bytes: Uint8Array): { definition: KeptDefinition; record: Uint8Array }[] {
  const header = headerOf(bytes);
  const version = header.getUint32(4, true);
  if (version !== VERSION) throw new SnapshotFormatError(`snapshot version ${version}, expected ${VERSION}`);
  const recordBytes = header.getUint32(8, true);
  if (recordBytes !== RECORD_BYTES) {
    throw new SnapshotFormatError(`snapshot records have ${recordBytes} bytes, expected ${RECORD_BYTES}`);
  }
  const count = header.getUint32(12, true);
  const records = HEADER_BYTES + header.getUint32(16, true);
  if (bytes.length !== records + count * RECORD_BYTES) {
    throw new SnapshotFormatError(`snapshot has ${bytes.length} bytes, expected ${records + count * RECORD_BYTES}`);
  }
  const text = new TextDecoder().decode(bytes.subarray(HEADER_BYTES, records));
  const definitions = readDefinitions(text);
  if (definitions.length !== count) throw new SnapshotFormatError('snapshot definitions do not match its records');
  return definitions.map((definition, index) => {
    const at = records + index * RECORD_BYTES;
    return { definition, record: bytes.subarray(at, at + RECORD_BYTES) };
  });
}

function readDefinitions(text: string): KeptDefinition[] {
  let definitions: unknown;
  try {
    definitions = JSON.parse(text);
  } catch {
    throw new SnapshotFormatError('snapshot definitions are not JSON');
  }
  if (!Array.isArray(definitions) || !definitions.every(isDefinition)) {
    throw new SnapshotFormatError('snapshot definitions are not definitions of series');
  }
  return definitions;
}

function isDefinition(value: unknown): value is KeptDefinition {
  if (typeof value !== 'object' || value === null) return false;
  const { id, type, aggregation, slotSeconds, timezone } = value as Record<string, unknown>;
  return (
    typeof id === 'number' &&
    typeof type === 'string' &&
    typeof aggregation === 'string' &&
    typeof slotSeconds === 'number' &&
    typeof timezone === 'string'
  );
}

function padded(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(Math.ceil(bytes.length / 8) * 8).fill(0x20);
  result.set(bytes);
  return result;
}
