import { DateTime, IANAZone } from 'luxon';
import { dayOf, describeUnixTime, unixSeconds } from './unix-time.js';
import { type TimeFormat } from './time-format.js';
import { readDecimal } from '../wire/decimal.js';

const ZERO = 0x30;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const BLANK = 0x20;
const UPPER_T = 0x54;
const UPPER_Z = 0x5a;
/** Makes a letter of ASCII upper case. */
const CASE_BIT = 0x20;

/** Maximum length of a time. */
const MAX_LENGTH = 64;

/** Digits of a day as `yyyyMMdd`. */
const DAY_DIGITS = 8;

/**
 * Week dates, ordinal dates and the basic form are parsed by a library; dates without a year and times without a date
 * are not times.
 */
const OTHER_ISO_FORM = /^\d{4}(?:-?W\d{2}-?\d?|-\d{3}|\d{3,4}T)/i;

/** Local times are looked up once per quarter of an hour: offsets change at such times only. */
const LOOKUP_SECONDS = 900;
const MAX_REMEMBERED = 4096;

/** The order of the times of one series, which distinguishes the two occurrences of a repeated local time. */
export class TimeOrder {
  private previous = NaN;
  /** 1 when the last time was later than the one before, -1 when it was earlier, 0 as long as neither is known. */
  private direction = 0;

  /** Chooses between two moments of the same local time: in an ordered file, the next one in its direction. */
  choose(earlier: number, later: number): number {
    if (this.direction < 0) return later < this.previous ? later : earlier;
    return Number.isNaN(this.previous) || earlier > this.previous ? earlier : later;
  }

  note(seconds: number): void {
    if (seconds > this.previous) this.direction = 1;
    else if (seconds < this.previous) this.direction = -1;
    this.previous = seconds;
  }
}

export interface TimeReaderOptions {
  /** Time zone of times without an offset; a name of the time zone database. */
  timezone: string;
  /** The form of all times; null: numbers and ISO 8601. */
  format: TimeFormat | null;
}

/** Reads times that people and programs write: cells of CSV, columns of SQL, answers of assistants. */
export class TimeReader {
  private position = 0;
  private readonly zone: IANAZone;
  private readonly offsets = new Map<number, number | LocalOffsets>();

  constructor(private readonly options: TimeReaderOptions) {
    this.zone = IANAZone.create(options.timezone);
  }

  /**
   * Unix seconds of a time in bytes: of the given form, or Unix seconds, milliseconds, microseconds or nanoseconds by
   * size, a day as eight digits (`20260131`), or ISO 8601 (`2026-01-31T12:00:00.5+01:00`; a blank may replace the T,
   * seconds and the whole time of day may be missing). NaN if it is none of these; `explain` states why. For a local
   * time that occurs twice (clocks put back) `order` decides which one is meant, by default the earlier; one that does
   * not occur is read as if clocks had not been put forward yet.
   */
  read(bytes: Buffer, start: number, end: number, order?: TimeOrder): number {
    const seconds = this.readWith(bytes, start, end, order);
    if (!Number.isNaN(seconds)) order?.note(seconds);
    return seconds;
  }

  /** The reason why a text is not a time, for a message after the text. */
  explain(text: string, parameter: string): string {
    const { format } = this.options;
    if (text === '') return 'is not a time: the cell is empty';
    if (format !== null) return `is not a time of the form ${format.pattern}`;
    if (isEightDigits(Buffer.from(text), 0, text.length)) return 'is not an existing day (eight digits are yyyyMMdd)';
    if (/^\d{4}-\d{2}-\d{2}/.test(text)) return 'is not a day and time that exists in ISO 8601';
    return `is neither Unix time nor ISO 8601; if it has another form, say which: ${parameter}${likelyFormat(text)}`;
  }

  /** Interpretation of a time, for a message after the text: `taken for milliseconds: 2286-11-20`. */
  describe(text: string, seconds: number): string {
    const bytes = Buffer.from(text);
    const isNumber = this.options.format === null && !isEightDigits(bytes, 0, bytes.length);
    const number = isNumber ? readDecimal(bytes, 0, bytes.length) : null;
    return number === null ? `is ${dayOf(seconds)}` : describeUnixTime(number);
  }

  private readWith(bytes: Buffer, start: number, end: number, order: TimeOrder | undefined): number {
    const length = end - start;
    if (length === 0 || length > MAX_LENGTH) return NaN;
    if (this.options.format !== null)
      return this.readFormat(this.options.format, bytes.toString('utf8', start, end), order);
    if (length > 8 && bytes[start + 4] === MINUS && bytes[start + 7] === MINUS) {
      return this.readIso(bytes, start, end, order);
    }
    if (isEightDigits(bytes, start, end)) return this.readDay(bytes, start, end, order);
    const number = readDecimal(bytes, start, end);
    return number === null ? this.readOtherForm(bytes.toString('latin1', start, end)) : unixSeconds(number);
  }

  private readFormat(format: TimeFormat, text: string, order: TimeOrder | undefined): number {
    const time = format.read(text);
    if (time === null || !isDay(time.year, time.month, time.day)) return NaN;
    const local = daysFromEpoch(time.year, time.month, time.day) * 86_400 + time.seconds;
    return time.offset === null ? this.fromLocal(local, order) : local - time.offset;
  }

  private readDay(bytes: Buffer, start: number, end: number, order: TimeOrder | undefined): number {
    this.position = start;
    const year = this.digits(bytes, end, 4);
    const month = this.digits(bytes, end, 2);
    const day = this.digits(bytes, end, 2);
    return isDay(year, month, day) ? this.fromLocal(daysFromEpoch(year, month, day) * 86_400, order) : NaN;
  }

  private readIso(bytes: Buffer, start: number, end: number, order: TimeOrder | undefined): number {
    this.position = start;
    const year = this.digits(bytes, end, 4);
    this.position++;
    const month = this.digits(bytes, end, 2);
    this.position++;
    const day = this.digits(bytes, end, 2);
    if (!isDay(year, month, day)) return NaN;
    const days = daysFromEpoch(year, month, day);
    if (this.position === end) return this.fromLocal(days * 86_400, order);
    const separator = bytes[this.position++]!;
    if (separator !== BLANK && (separator & ~CASE_BIT) !== UPPER_T) return NaN;
    const time = this.readTimeOfDay(bytes, end);
    const offset = this.readOffset(bytes, end);
    if (this.position !== end) return NaN;
    const local = days * 86_400 + time;
    return offset === null ? this.fromLocal(local, order) : local - offset;
  }

  /** Seconds since midnight; NaN if it is not a time of day. */
  private readTimeOfDay(bytes: Buffer, end: number): number {
    const hour = this.digits(bytes, end, 2);
    if (bytes[this.position] !== COLON) return NaN;
    this.position++;
    const minute = this.digits(bytes, end, 2);
    let second = 0;
    if (this.position < end && bytes[this.position] === COLON) {
      this.position++;
      second = this.digits(bytes, end, 2);
      if (!(second < 60)) return NaN;
      if (this.position < end && (bytes[this.position] === DOT || bytes[this.position] === COMMA)) {
        second += this.fraction(bytes, end);
      }
    }
    const isMidnight = hour === 24 && minute === 0 && second === 0;
    return minute < 60 && (hour < 24 || isMidnight) ? hour * 3600 + minute * 60 + second : NaN;
  }

  /** Seconds east of UTC; null if no offset is given, NaN if it is none. */
  private readOffset(bytes: Buffer, end: number): number | null {
    if (bytes[this.position] === BLANK && this.position < end) this.position++;
    if (this.position >= end) return null;
    const sign = bytes[this.position++]!;
    if ((sign & ~CASE_BIT) === UPPER_Z) return 0;
    if (sign !== PLUS && sign !== MINUS) return NaN;
    const hours = this.digits(bytes, end, 2);
    if (this.position < end && bytes[this.position] === COLON) this.position++;
    const minutes = this.position < end ? this.digits(bytes, end, 2) : 0;
    const offset = hours * 3600 + minutes * 60;
    if (!(hours < 24 && minutes < 60)) return NaN;
    return sign === PLUS ? offset : -offset;
  }

  private digits(bytes: Buffer, end: number, count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      const digit = this.position < end ? bytes[this.position]! - ZERO : -1;
      if (digit < 0 || digit > 9) return NaN;
      value = value * 10 + digit;
      this.position++;
    }
    return value;
  }

  /** Digits behind the decimal point; NaN without any. */
  private fraction(bytes: Buffer, end: number): number {
    const start = ++this.position;
    let value = 0;
    let scale = 1;
    for (; this.position < end; this.position++) {
      const digit = bytes[this.position]! - ZERO;
      if (digit < 0 || digit > 9) break;
      // More digits than nanoseconds exceed the precision of a double.
      if (scale < 1e9) {
        value = value * 10 + digit;
        scale *= 10;
      }
    }
    return this.position === start ? NaN : value / scale;
  }

  private readOtherForm(text: string): number {
    if (!OTHER_ISO_FORM.test(text)) return NaN;
    const time = DateTime.fromISO(text, { zone: this.zone });
    return time.isValid ? time.toMillis() / 1000 : NaN;
  }

  /** @param local seconds of the wall clock, counted as if it showed UTC */
  private fromLocal(local: number, order: TimeOrder | undefined): number {
    if (Number.isNaN(local)) return NaN;
    const quarter = Math.floor(local / LOOKUP_SECONDS);
    let offset = this.offsets.get(quarter);
    if (offset === undefined) {
      offset = this.offsetAt(quarter * LOOKUP_SECONDS);
      if (this.offsets.size >= MAX_REMEMBERED) this.offsets.clear();
      this.offsets.set(quarter, offset);
    }
    if (typeof offset === 'number') return local - offset;
    const earlier = local - offset.before;
    return order === undefined ? earlier : order.choose(earlier, local - offset.after);
  }

  /** Offsets from UTC in seconds at which a clock in the zone shows `local`; two if it shows that time twice. */
  private offsetAt(local: number): number | LocalOffsets {
    const offsetOf = (seconds: number): number => this.zone.offset(seconds * 1000) * 60;
    // A day before and after the local time have the offsets before and after a change, if there is one.
    const before = offsetOf(local - 86_400);
    const after = offsetOf(local + 86_400);
    const isBefore = offsetOf(local - before) === before;
    const isAfter = offsetOf(local - after) === after;
    if (isBefore && isAfter && before !== after) return { before, after };
    return isBefore || !isAfter ? before : after;
  }
}

/** For a local time that occurs twice: the first and the second offset from UTC in seconds. */
interface LocalOffsets {
  before: number;
  after: number;
}

function isEightDigits(bytes: Buffer, start: number, end: number): boolean {
  if (end - start !== DAY_DIGITS) return false;
  for (let at = start; at < end; at++) if (!(bytes[at]! >= ZERO && bytes[at]! <= ZERO + 9)) return false;
  return true;
}

/** An example pattern that resembles the text. */
function likelyFormat(text: string): string {
  if (/^\d{1,2}\.\d{1,2}\.\d{4}/.test(text)) return text.includes(':') ? 'dd.MM.yyyy HH:mm' : 'dd.MM.yyyy';
  if (/^\d{1,2}\/\d{1,2}\/\d{4}/.test(text)) return /[ap]\.?m\.?$/i.test(text) ? 'M/d/yyyy h:mm a' : 'M/d/yyyy H:mm';
  return 'dd.MM.yyyy HH:mm';
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeap ? 29 : MONTH_DAYS[month - 1]!;
}

/** Days from 1970-01-01 in the Gregorian calendar. */
function daysFromEpoch(year: number, month: number, day: number): number {
  // Years begin in March, so that the leap day is the last.
  const shifted = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return shifted * 365 + leapDays + dayOfYear - 719_468;
}
