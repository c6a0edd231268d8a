import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const TAB = 0x09;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const BLANK = 0x20;

/**
 * Walks the records of a CSV text (RFC 4180, with comma, semicolon or tab) and shows the cells of the current one as places
 * in the bytes, trimmed and without quotes. Lines without content in any cell are passed over. Nothing is copied.
 */
export class CsvScanner {
  readonly text: Buffer;
  /** Line at which the current record starts, from 1. */
  line = 0;
  /** Cells of the current record. */
  cellCount = 0;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly delimiter: number;
  /** Cells whose quotes are doubled inside; empty for almost every record. */
  private readonly escaped = new Set<number>();
  private hasContent = false;
  private nextLine = 1;
  private position: number;

  /** @param maxCells cells of one record; more throw BodyTooLargeError */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly maxCells: number,
  ) {
    this.text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // A byte order mark is no part of the first cell.
    this.position = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    this.delimiter = findDelimiter(bytes, this.position);
  }

  /** Moves to the next record with content; false at the end. */
  next(): boolean {
    while (this.position < this.bytes.length) {
      this.line = this.nextLine;
      this.readRecord();
      if (this.hasContent) return true;
    }
    return false;
  }

  isEmpty(cell: number): boolean {
    return this.starts[cell]! >= this.ends[cell]!;
  }

  cellText(cell: number): string {
    const text = this.text.toString('utf8', this.starts[cell], this.ends[cell]);
    return this.escaped.has(cell) ? text.replaceAll('""', '"') : text;
  }

  private readRecord(): void {
    const { bytes, delimiter } = this;
    const end = bytes.length;
    this.cellCount = 0;
    this.hasContent = false;
    if (this.escaped.size > 0) this.escaped.clear();
    for (;;) {
      if (this.cellCount >= this.maxCells) throw new BodyTooLargeError('columns', this.maxCells);
      this.readCell();
      const byte = this.position < end ? bytes[this.position]! : LINE_FEED;
      this.position++;
      if (byte === delimiter) continue;
      this.nextLine++;
      return;
    }
  }

  /** Reads a cell up to its delimiter or line feed. */
  private readCell(): void {
    const { bytes, delimiter } = this;
    const length = bytes.length;
    let start = this.position;
    while (start < length && isBlank(bytes[start]!) && bytes[start] !== delimiter) start++;
    if (bytes[start] === QUOTE) {
      this.readQuotedCell(start);
      return;
    }
    let at = start;
    while (at < length) {
      const byte = bytes[at]!;
      if (byte === delimiter || byte === LINE_FEED) break;
      at++;
    }
    this.position = at;
    while (at > start && isBlank(bytes[at - 1]!)) at--;
    this.addCell(start, at);
  }

  private readQuotedCell(quote: number): void {
    const { bytes, delimiter } = this;
    const length = bytes.length;
    let at = quote + 1;
    let hasEscapes = false;
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined) throw new MalformedBodyError('a quoted cell is not closed', { line: this.line });
      if (byte === LINE_FEED) this.nextLine++;
      if (byte === QUOTE) {
        if (bytes[at + 1] !== QUOTE) break;
        hasEscapes = true;
        at++;
      }
      at++;
    }
    if (hasEscapes) this.escaped.add(this.cellCount);
    this.addCell(quote + 1, at);
    at++;
    while (at < length && isBlank(bytes[at]!) && bytes[at] !== delimiter) at++;
    if (at < length && bytes[at] !== delimiter && bytes[at] !== LINE_FEED) {
      throw new MalformedBodyError('something stands behind a quoted cell', { line: this.line });
    }
    this.position = at;
  }

  private addCell(start: number, end: number): void {
    this.starts[this.cellCount] = start;
    this.ends[this.cellCount] = end;
    if (end > start) this.hasContent = true;
    this.cellCount++;
  }
}

/**
 * The first line with content tells: a tab there parts cells, or else a semicolon, which stands in no number and no name,
 * so that `12:00;1,5` keeps its decimal comma; or else the comma.
 */
function findDelimiter(bytes: Uint8Array, start: number): number {
  let isQuoted = false;
  let hasSemicolon = false;
  let hasContent = false;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (byte === TAB && hasContent) return TAB;
    else if (byte === SEMICOLON) hasSemicolon = true;
    else if (byte === LINE_FEED && hasContent) break;
    if (!isBlank(byte) && byte !== LINE_FEED) hasContent = true;
  }
  return hasSemicolon ? SEMICOLON : COMMA;
}

function isBlank(byte: number): boolean {
  return byte === BLANK || byte === TAB || byte === RETURN;
}
