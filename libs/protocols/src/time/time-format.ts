const ZERO = 0x30;
const MAX_PATTERN_LENGTH = 64;
const MAX_FRACTION_DIGITS = 9;
/** More than the longest name of a weekday in any language. */
const MAX_WEEKDAY_LENGTH = 20;
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
/** Includes non-breaking blanks, which programs write before AM and PM. */
const BLANK = /[\s\u00a0\u202f]/;
const LETTER = /\p{L}/u;

type Part = 'year' | 'month' | 'day' | 'hour' | 'hour12' | 'minute' | 'second';

type Field =
  | { kind: 'number'; part: Part; min: number; max: number }
  | { kind: 'fraction' | 'month' | 'half' | 'weekday' | 'offset' | 'blank' }
  | { kind: 'text'; text: string };

const NUMBER_PARTS: Readonly<Record<string, Part>> = {
  y: 'year',
  M: 'month',
  L: 'month',
  d: 'day',
  H: 'hour',
  h: 'hour12',
  m: 'minute',
  s: 'second',
};
const OTHER_FIELDS: Readonly<Record<string, 'fraction' | 'half' | 'weekday' | 'offset'>> = {
  S: 'fraction',
  a: 'half',
  E: 'weekday',
  c: 'weekday',
  X: 'offset',
  x: 'offset',
  Z: 'offset',
};

/** A text that is not a valid date pattern. The message quotes the pattern. */
export class TimeFormatError extends Error {}

/** Date and time as written in a text. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  /** Seconds since midnight, with fraction. */
  seconds: number;
  /** Seconds east of UTC; null if the text does not have it. */
  offset: number | null;
}

/**
 * Reads times of one form, given as a Unicode date pattern: `dd.MM.yyyy HH:mm`, `M/d/yyyy h:mm a`. Letters: y M d H h m
 * s S a, E for a weekday, X for an offset, MMM and MMMM for English names of months; other text is literal, letters in
 * single quotes. Numbers may have one digit less than the pattern if no other number follows directly. One pass from
 * left to right without a step back: the work is bounded by the length of the text, whatever the pattern is.
 */
export class TimeFormat {
  private readonly fields: readonly Field[];
  private text = '';
  private position = 0;

  /** @throws TimeFormatError the pattern has an unknown letter, or gives no day */
  constructor(readonly pattern: string) {
    if (pattern.length > MAX_PATTERN_LENGTH) {
      throw new TimeFormatError(`the pattern must have at most ${String(MAX_PATTERN_LENGTH)} characters`);
    }
    this.fields = fieldsOf(pattern);
    this.check();
  }

  /** Null if the text has another form, or the date and time do not exist. Day of the month: 1 to 31. */
  read(text: string): WallTime | null {
    this.text = text;
    this.position = 0;
    const found: Record<Part | 'fraction' | 'half' | 'offset', number> = {
      year: NaN,
      month: NaN,
      day: NaN,
      hour: 0,
      hour12: 0,
      minute: 0,
      second: 0,
      fraction: 0,
      half: NaN,
      offset: NaN,
    };
    for (const field of this.fields) {
      const value = this.readField(field);
      if (value === null) return null;
      if (field.kind === 'number') found[field.part] = value;
      else if (field.kind === 'month') found.month = value;
      else if (field.kind === 'fraction' || field.kind === 'half' || field.kind === 'offset') found[field.kind] = value;
    }
    if (this.position !== text.length) return null;
    return wallTimeOf(found);
  }

  private readField(field: Field): number | null {
    switch (field.kind) {
      case 'number':
        return this.digits(field.min, field.max, field.part === 'year' && field.max === 2 ? 2000 : 0);
      case 'fraction': {
        const start = this.position;
        const digits = this.digits(1, MAX_FRACTION_DIGITS, 0);
        return digits === null ? null : digits / 10 ** (this.position - start);
      }
      case 'month':
        return this.monthName();
      case 'half':
        return this.half();
      case 'weekday':
        return this.letters(MAX_WEEKDAY_LENGTH, true) === '' ? null : 0;
      case 'offset':
        return this.offset();
      case 'blank':
        return this.blanks();
      case 'text':
        if (!this.text.startsWith(field.text, this.position)) return null;
        this.position += field.text.length;
        return 0;
    }
  }

  private digits(min: number, max: number, base: number): number | null {
    let value = 0;
    let count = 0;
    for (; count < max && this.position < this.text.length; count++) {
      const digit = this.text.charCodeAt(this.position) - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
      this.position++;
    }
    return count < min ? null : base + value;
  }

  private letters(max: number, mayEndWithDot: boolean): string {
    const start = this.position;
    while (this.position - start < max && LETTER.test(this.text[this.position] ?? '')) this.position++;
    const letters = this.text.slice(start, this.position).toLowerCase();
    if (mayEndWithDot && letters !== '' && this.text[this.position] === '.') this.position++;
    return letters;
  }

  private monthName(): number | null {
    const name = this.letters(MAX_WEEKDAY_LENGTH, true);
    const short = name === 'sept' ? 'sep' : name;
    const index = MONTHS.findIndex((month) => month === short || (short.length === 3 && month.startsWith(short)));
    return index < 0 ? null : index + 1;
  }

  /** 0 before noon, 1 after it. */
  private half(): number | null {
    const found = /^([ap])\.?m\.?/i.exec(this.text.slice(this.position, this.position + 4));
    if (found === null) return null;
    this.position += found[0].length;
    return found[1]!.toLowerCase() === 'a' ? 0 : 1;
  }

  private offset(): number | null {
    const sign = this.text[this.position] ?? '';
    this.position++;
    if (sign === 'Z' || sign === 'z') return 0;
    if (sign !== '+' && sign !== '-') return null;
    const hours = this.digits(2, 2, 0);
    if (this.text[this.position] === ':') this.position++;
    const minutes = /\d/.test(this.text[this.position] ?? '') ? this.digits(2, 2, 0) : 0;
    if (hours === null || minutes === null || hours > 23 || minutes > 59) return null;
    const offset = hours * 3600 + minutes * 60;
    return sign === '-' ? -offset : offset;
  }

  private blanks(): number | null {
    const start = this.position;
    while (BLANK.test(this.text[this.position] ?? '')) this.position++;
    return this.position === start ? null : 0;
  }

  private check(): void {
    const parts = new Set(this.fields.map((field) => (field.kind === 'number' ? field.part : field.kind)));
    for (const [part, letter] of [
      ['year', 'y'],
      ['month', 'M'],
      ['day', 'd'],
    ] as const) {
      if (!parts.has(part)) throw new TimeFormatError(`the pattern "${this.pattern}" has no ${part} (${letter})`);
    }
    if (parts.has('hour12') !== parts.has('half')) {
      throw new TimeFormatError(`in the pattern "${this.pattern}" h and a belong together; H is the hour from 0 to 23`);
    }
  }
}

function fieldsOf(pattern: string): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < pattern.length;) {
    const letter = pattern[at]!;
    if (letter === "'") {
      const { text, end } = quotedText(pattern, at);
      fields.push({ kind: 'text', text });
      at = end;
      continue;
    }
    let end = at + 1;
    while (pattern[end] === letter) end++;
    fields.push(fieldOf(pattern, letter, end - at));
    at = end;
  }
  return withExactWidths(fields);
}

function fieldOf(pattern: string, letter: string, count: number): Field {
  if (BLANK.test(letter)) return { kind: 'blank' };
  // Between day and time; no field of this letter is read.
  if (!/[A-Za-z]/.test(letter) || letter === 'T') return { kind: 'text', text: letter.repeat(count) };
  if ((letter === 'M' || letter === 'L') && count > 2) return { kind: 'month' };
  const part = NUMBER_PARTS[letter];
  if (part === 'year') return { kind: 'number', part, min: count === 2 ? 2 : 4, max: count === 2 ? 2 : 4 };
  if (part !== undefined) return { kind: 'number', part, min: 1, max: 2 };
  const kind = OTHER_FIELDS[letter];
  if (kind !== undefined) return { kind };
  throw new TimeFormatError(
    `the pattern "${pattern}" has the letter ${letter}, which is not known; a form looks like dd.MM.yyyy HH:mm`,
  );
}

/** Of numbers that follow each other directly, only the last may have fewer digits. */
function withExactWidths(fields: readonly Field[]): Field[] {
  return fields.map((field, index) => {
    const next = fields[index + 1];
    const isFollowed = next !== undefined && (next.kind === 'number' || next.kind === 'fraction');
    const isPreceded = fields[index - 1]?.kind === 'number';
    return field.kind === 'number' && (isFollowed || isPreceded) ? { ...field, min: field.max } : field;
  });
}

function quotedText(pattern: string, start: number): { text: string; end: number } {
  if (pattern[start + 1] === "'") return { text: "'", end: start + 2 };
  let text = '';
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] !== "'") text += pattern[at]!;
    else if (pattern[at + 1] === "'") text += pattern[at++]!;
    else return { text, end: at + 1 };
  }
  throw new TimeFormatError(`a quote is not closed in the pattern "${pattern}"`);
}

function wallTimeOf(found: Readonly<Record<Part | 'fraction' | 'half' | 'offset', number>>): WallTime | null {
  const { year, month, day, hour, hour12, minute, second, fraction, half, offset } = found;
  if (!(hour12 <= 12) || (!Number.isNaN(half) && hour12 < 1)) return null;
  const hours = Number.isNaN(half) ? hour : (hour12 % 12) + 12 * half;
  if (hours > 23 || minute > 59 || second > 59) return null;
  const seconds = hours * 3600 + minute * 60 + second + fraction;
  return { year, month, day, seconds, offset: Number.isNaN(offset) ? null : offset };
}
