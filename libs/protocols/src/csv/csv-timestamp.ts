import { DateTime, IANAZone } from 'luxon';
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

/** From here on a number counts milliseconds: as seconds it would be the year 5138, as milliseconds it is 1973. */
const FIRST_MILLISECONDS = 1e11;

/** Longest spelling of a time that is looked at. */
const MAX_LENGTH = 64;

/** Week dates, ordinal dates and the basic form, left to a library; dates without a year or time alone are no times. */
const OTHER_ISO_FORM = /^\d{4}(?:-?W\d{2}-?\d?|-\d{3}|\d{3,4}T)/i;

/** Local times are looked up once per quarter of an hour: offsets change at such times only. */
const LOOKUP_SECONDS = 900;
const MAX_REMEMBERED = 4096;

/** Reads the times of one CSV body. */
export class TimestampReader {
  private position = 0;
  private readonly offsets = new Map<number, number>();

  /** @param timezone of times that carry no offset; a name of the time zone database */
  constructor(private readonly timezone: string) {}

  /**
   * Unix seconds of a time in bytes: Unix seconds or milliseconds, or ISO 8601 (`2026-01-31T12:00:00.5+01:00`; a blank may
   * stand for the T, seconds and the whole time of day may be missing). NaN when it is none of these.
   * A local time that occurs twice (clocks put back) is the earlier; one that does not occur is taken as if clocks had not
   * been put forward yet.
   */
  read(bytes: Buffer, start: number, end: number): number {
    const length = end - start;
    if (length === 0 || length > MAX_LENGTH) return NaN;
    if (length > 8 && bytes[start + 4] === MINUS && bytes[start + 7] === MINUS) {
      return this.readIso(bytes, start, end);
    }
    const number = readDecimal(bytes, start, end);
    if (number !== null) return Math.abs(number) >= FIRST_MILLISECONDS ? number / 1000 : number;
    return this.readOtherForm(bytes.toString('latin1', start, end));
  }

  private readIso(bytes: Buffer, start: number, end: number): number {
    this.position = start;
    const year = this.digits(bytes, end, 4);
    this.position++;
    const month = this.digits(bytes, end, 2);
    this.position++;
    const day = this.digits(bytes, end, 2);
    if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return NaN;
    const days = daysFromEpoch(year, month, day);
    if (this.position === end) return this.fromLocal(days * 86_400);
    const separator = bytes[this.position++]!;
    if (separator !== BLANK && (separator & ~CASE_BIT) !== UPPER_T) return NaN;
    const time = this.readTimeOfDay(bytes, end);
    const offset = this.readOffset(bytes, end);
    if (this.position !== end) return NaN;
    const local = days * 86_400 + time;
    return offset === null ? this.fromLocal(local) : local - offset;
  }

  /** Seconds since midnight; NaN when it is no time of day. */
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

  /** Seconds east of UTC; null when no offset is given, NaN when it is none. */
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
      // More than nanoseconds mean nothing to a double.
      if (scale < 1e9) {
        value = value * 10 + digit;
        scale *= 10;
      }
    }
    return this.position === start ? NaN : value / scale;
  }

  private readOtherForm(text: string): number {
    if (!OTHER_ISO_FORM.test(text)) return NaN;
    const time = DateTime.fromISO(text, { zone: this.timezone });
    return time.isValid ? time.toMillis() / 1000 : NaN;
  }

  /** @param local seconds of the wall clock, counted as if it showed UTC */
  private fromLocal(local: number): number {
    if (Number.isNaN(local)) return NaN;
    const quarter = Math.floor(local / LOOKUP_SECONDS);
    let offset = this.offsets.get(quarter);
    if (offset === undefined) {
      offset = this.offsetAt(quarter * LOOKUP_SECONDS);
      if (this.offsets.size >= MAX_REMEMBERED) this.offsets.clear();
      this.offsets.set(quarter, offset);
    }
    return local - offset;
  }

  /** Seconds east of UTC that a wall clock in the zone is, when it shows `local`. */
  private offsetAt(local: number): number {
    const zone = IANAZone.create(this.timezone);
    const offsetOf = (seconds: number): number => zone.offset(seconds * 1000) * 60;
    // A day to either side of the wall clock's time lie the offsets before and after a change, if there is one.
    const before = offsetOf(local - 86_400);
    const after = offsetOf(local + 86_400);
    return offsetOf(local - before) === before || offsetOf(local - after) !== after ? before : after;
  }
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysInMonth(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeap ? 29 : MONTH_DAYS[month - 1]!;
}

/** Days from 1970-01-01 in the Gregorian calendar. */
function daysFromEpoch(year: number, month: number, day: number): number {
  // Years begin in March, so that the leap day is their last.
  const shifted = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return shifted * 365 + leapDays + dayOfYear - 719_468;
}
