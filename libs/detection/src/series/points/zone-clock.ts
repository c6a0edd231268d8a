const { abs, floor } = Math;

/**
 * Local wall-clock time of an IANA zone, cheap enough for every point: the offset of the zone is read from Intl once
 * per day of history, once per hour of a day in which it changes, and cached. Zone rules change at whole quarter hours
 * of UTC; changes within an hour (there are none at present) would take effect at the next hour.
 */

const REMEMBERED = 20_000;
const HOURS = 24;

export class ZoneClock {
  /** By the hour since the epoch. */
  private readonly offsets = new Map<number, number>();
  private readonly format: Intl.DateTimeFormat | null;
  private lastHour = NaN;
  private lastOffset = 0;

  /** An unknown zone counts as UTC: a wrong name must not stop detection. */
  constructor(readonly timezone: string) {
    this.format = timezone === 'UTC' ? null : formatOf(timezone);
  }

  /** Seconds since the epoch as the wall clock shows them (Unix seconds plus the zone's offset). */
  localSeconds(timestamp: number): number {
    if (this.format === null) return timestamp;
    const hour = floor(timestamp / 3600);
    if (hour !== this.lastHour) {
      this.lastHour = hour;
      this.lastOffset = this.offsetInDay(hour, this.format);
    }
    return timestamp + this.lastOffset;
  }

  /** A day that begins and ends with the same offset has this offset throughout. */
  private offsetInDay(hour: number, format: Intl.DateTimeFormat): number {
    const day = floor(hour / HOURS) * HOURS;
    const first = this.offsetOfHour(day, format);
    return first === this.offsetOfHour(day + HOURS, format) ? first : this.offsetOfHour(hour, format);
  }

  private offsetOfHour(hour: number, format: Intl.DateTimeFormat): number {
    const known = this.offsets.get(hour);
    if (known !== undefined) return known;
    if (this.offsets.size >= REMEMBERED) this.offsets.clear();
    const offset = offsetSeconds(format, hour * 3600);
    this.offsets.set(hour, offset);
    return offset;
  }
}

function formatOf(timezone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
}

function offsetSeconds(format: Intl.DateTimeFormat, timestamp: number): number {
  if (abs(timestamp) > 8e12) return 0;
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(timestamp * 1000)) parts[type] = Number(value);
  const local = Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second);
  return local / 1000 - timestamp;
}
