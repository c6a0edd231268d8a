/** Offset of a zone from UTC at a moment, seconds. */
export function offsetAt(timestamp: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(timestamp * 1000);
  const part = (type: string): number => Number(parts.find((candidate) => candidate.type === type)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return Math.round(local / 1000 - timestamp);
}

/** A time in the format of a `datetime-local` field, in a zone, to the minute or the second. Unix seconds. */
export function inputText(timestamp: number, zone: string, unit: 'minute' | 'second' = 'minute'): string {
  return new Date((timestamp + offsetAt(timestamp, zone)) * 1000).toISOString().slice(0, unit === 'minute' ? 16 : 19);
}

/** The reverse; null if it is not a time. A time that a clock change skips becomes the time an hour later. */
export function fromInputText(text: string, zone: string): number | null {
  const local = Date.parse(`${text}Z`) / 1000;
  if (!Number.isFinite(local)) return null;
  const guess = local - offsetAt(local, zone);
  return local - offsetAt(guess, zone);
}
