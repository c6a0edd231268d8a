import { IANAZone } from 'luxon';

const DAY = 86_400;
/** Everywhere, offsets change at multiples of 15 minutes. */
const QUARTER = 900;
const CACHE_SIZE = 4096;

/** Wall-clock time of a zone, cheap enough to be computed for every point. */
export class LocalClock {
  private readonly zone: IANAZone;
  /** Offset of a UTC day, or NaN if it changes during that day. */
  private readonly days = new Map<number, number>();

  /** Throws RangeError if the zone is unknown. */
  constructor(timezone: string) {
    this.zone = IANAZone.create(timezone);
    if (!this.zone.isValid) throw new RangeError(`Unknown time zone ${timezone}`);
  }

  /** Seconds since 1970-01-01 00:00 in local wall-clock time. */
  wallSeconds(timestamp: number): number {
    return timestamp + this.offsetAt(timestamp);
  }

  /** Local days since 1970-01-01. */
  dayAt(timestamp: number): number {
    return Math.floor(this.wallSeconds(timestamp) / DAY);
  }

  /**
   * Unix seconds of a wall-clock time. For a time that does not exist or exists twice, a neighbouring time or one of
   * the two.
   */
  timestampOf(day: number, secondOfDay: number): number {
    const wall = day * DAY + secondOfDay;
    const first = wall - this.offsetAt(wall);
    return wall - this.offsetAt(first);
  }

  private offsetAt(timestamp: number): number {
    const day = Math.floor(timestamp / DAY);
    let offset = this.days.get(day);
    if (offset === undefined) {
      const atStart = this.lookUp(day * DAY);
      offset = atStart === this.lookUp((day + 1) * DAY) ? atStart : NaN;
      if (this.days.size >= CACHE_SIZE) this.days.clear();
      this.days.set(day, offset);
    }
    return Number.isNaN(offset) ? this.lookUp(Math.floor(timestamp / QUARTER) * QUARTER) : offset;
  }

  private lookUp(timestamp: number): number {
    return this.zone.offset(timestamp * 1000) * 60;
  }
}
