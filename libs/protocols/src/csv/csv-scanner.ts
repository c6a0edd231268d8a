import { BodyTooLargeError, MalformedBodyError } from '../batch/errors.js';

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const TAB = 0x09;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const BLANK = 0x20;

/** The line with which spreadsheets, and Grafana for them, define the separator: `sep=;`. */
const SEPARATOR_LINE = /^sep=([,;\t])\r?\n/i;
const SEPARATOR_LINE_BYTES = 7;

/**
 * Walks the records of a CSV text (RFC 4180, with comma, semicolon or tab) and shows the cells of the current one as
 * places in the bytes, trimmed and without quotes. Lines without content in any cell are skipped. Nothing is copied.
 *
 * A text that arrives in pieces is read with `isLast` false: `next` then returns false at the first incomplete record,
 * and `feed` appends the next piece to the rest.
 */
export class CsvScanner {
  text: Buffer;
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

  /**
   * @param bytes the text, or its beginning with at least the whole first line
   * @param maxCells maximum number of cells of one record; more throw BodyTooLargeError
   */
  constructor(
    private bytes: Uint8Array,
    private readonly maxCells: number,
    private isLast = true,
  ) {
    refuseOtherEncodings(bytes);
    this.text = asBuffer(bytes);
    // A byte order mark is not part of the first cell.
    this.position = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    const start = this.text.toString('latin1', this.position, this.position + SEPARATOR_LINE_BYTES);
    const separator = SEPARATOR_LINE.exec(start);
    if (separator !== null) {
      this.position += separator[0].length;
      this.nextLine = 2;
    }
    this.delimiter = separator?.[1]!.charCodeAt(0) ?? findDelimiter(bytes, this.position);
  }

  /** Moves to the next record with content; false at the end of the available text. */
  next(): boolean {
    while (this.position < this.bytes.length) {
      const start = this.position;
      this.line = this.nextLine;
      if (!this.readRecord()) {
        this.position = start;
        this.nextLine = this.line;
        return false;
      }
      if (this.hasContent) return true;
    }
    return false;
  }

  /** Number of available unread bytes. */
  get unread(): number {
    return Math.max(0, this.bytes.length - this.position);
  }

  /** Appends the next piece of the text to the unread rest. */
  feed(piece: Uint8Array, isLast: boolean): void {
    this.text = Buffer.concat([this.text.subarray(this.position), piece]);
    this.bytes = this.text;
    this.position = 0;
    this.isLast = isLast;
  }

  isEmpty(cell: number): boolean {
    return this.starts[cell]! >= this.ends[cell]!;
  }

  cellText(cell: number): string {
    const text = this.text.toString('utf8', this.starts[cell], this.ends[cell]);
    return this.escaped.has(cell) ? text.replaceAll('""', '"') : text;
  }

  /** False if the record is incomplete. */
  private readRecord(): boolean {
    const { bytes, delimiter, isLast } = this;
    const end = bytes.length;
    this.cellCount = 0;
    this.hasContent = false;
    if (this.escaped.size > 0) this.escaped.clear();
    for (;;) {
      if (this.cellCount >= this.maxCells) throw new BodyTooLargeError('columns', this.maxCells);
      if (!this.readCell()) return false;
      if (this.position >= end && !isLast) return false;
      const byte = this.position < end ? bytes[this.position]! : LINE_FEED;
      this.position++;
      if (byte === delimiter) continue;
      this.nextLine++;
      return true;
    }
  }

  /** Reads a cell up to its delimiter or the end of the line; false if a quoted cell is incomplete. */
  private readCell(): boolean {
    const { bytes, delimiter } = this;
    const length = bytes.length;
    let start = this.position;
    while (start < length && isBlank(bytes[start]!) && bytes[start] !== delimiter && !this.isLineEnd(start)) start++;
    if (bytes[start] === QUOTE) return this.readQuotedCell(start);
    let at = start;
    while (at < length) {
      const byte = bytes[at]!;
      if (byte === delimiter || byte === LINE_FEED || (byte === RETURN && this.isLineEnd(at))) break;
      at++;
    }
    this.position = at;
    while (at > start && isBlank(bytes[at - 1]!)) at--;
    this.addCell(start, at);
    return true;
  }

  /**
   * A line feed, or a single carriage return as in files of old programs. A carriage return before a line feed is
   * blank.
   */
  private isLineEnd(at: number): boolean {
    const { bytes } = this;
    if (bytes[at] !== RETURN) return bytes[at] === LINE_FEED;
    const next = bytes[at + 1];
    return next !== undefined && next !== LINE_FEED && next !== RETURN;
  }

  private readQuotedCell(quote: number): boolean {
    const { bytes, delimiter } = this;
    const length = bytes.length;
    let at = quote + 1;
    let hasEscapes = false;
    for (;;) {
      const byte = bytes[at];
      if (byte === undefined) {
        if (!this.isLast) return false;
        throw new MalformedBodyError('a quoted cell is not closed', { line: this.line });
      }
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
    while (at < length && isBlank(bytes[at]!) && bytes[at] !== delimiter && !this.isLineEnd(at)) at++;
    if (at < length && bytes[at] !== delimiter && !this.isLineEnd(at)) {
      throw new MalformedBodyError('unexpected text after a quoted cell', { line: this.line });
    }
    this.position = at;
    return true;
  }

  private addCell(start: number, end: number): void {
    this.starts[this.cellCount] = start;
    this.ends[this.cellCount] = end;
    if (end > start) this.hasContent = true;
    this.cellCount++;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Kinds of files that are often sent as CSV by mistake; read as UTF-8 they would give misleading problems. */
function refuseOtherEncodings(bytes: Uint8Array): void {
  const [first, second, third] = bytes;
  if (first === 0x1f && second === 0x8b) {
    throw new MalformedBodyError('the text is compressed with gzip; decompress it first (gzip -dc)');
  }
  if (first === 0x50 && second === 0x4b && third === 0x03) {
    throw new MalformedBodyError('this is a ZIP archive or a workbook, not CSV; export the sheet as "CSV UTF-8"');
  }
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Every second byte of a digit or a separator in UTF-16 is 0, which occurs in no text.
  if (hasMark || first === 0 || second === 0) {
    throw new MalformedBodyError('the text is in UTF-16; save it in UTF-8 (in Excel as "CSV UTF-8")');
  }
}

/**
 * The first line with content decides: a tab there separates cells, or else a semicolon, which occurs in no number and
 * no name, so that `12:00;1,5` keeps its decimal comma; or else the comma.
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
