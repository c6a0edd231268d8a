import { type DateTime } from 'luxon';

/** The runtime knows a zone's letters only in the English of the place where they are used. */
const LOCALES = ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-IN', 'en-ZA', 'en-KE', 'en-HK', 'ja-JP'];

/** Letters of the IANA database that no locale of the runtime gives: standard time, summer time. */
const LETTERS: Readonly<Record<string, readonly [string, string]>> = {
  'Asia/Jakarta': ['WIB', 'WIB'],
  'Asia/Jerusalem': ['IST', 'IDT'],
  'Asia/Karachi': ['PKT', 'PKST'],
  'Asia/Manila': ['PST', 'PDT'],
  'Asia/Seoul': ['KST', 'KDT'],
  'Asia/Shanghai': ['CST', 'CDT'],
  'Europe/Moscow': ['MSK', 'MSD'],
};

const known = new Map<string, string>();

/** Abbreviation of the zone at a moment: `CEST`; where a zone has no letters its offset, `+03` or `+0545`. */
export function zoneAbbreviation(moment: DateTime): string {
  const key = `${moment.zoneName ?? 'UTC'} ${String(moment.offset)} ${String(moment.isInDST)}`;
  const abbreviation = known.get(key) ?? lookUp(moment);
  known.set(key, abbreviation);
  return abbreviation;
}

function lookUp(moment: DateTime): string {
  const letters = LETTERS[moment.zoneName ?? ''];
  if (letters !== undefined) return letters[moment.isInDST ? 1 : 0];
  for (const locale of LOCALES) {
    const name = moment.setLocale(locale).offsetNameShort ?? '';
    if (/^[A-Z]{2,5}$/.test(name)) return name;
  }
  const offset = moment.toFormat('ZZZ');
  return offset.endsWith('00') ? offset.slice(0, -2) : offset;
}
