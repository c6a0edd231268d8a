const LONGEST = 40;
const FORM = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Microseconds since 1970 of an ISO 8601 time; without a zone it is UTC. Undefined when the text is none. */
export function parseInstant(text: string): number | undefined {
  if (text.length > LONGEST) return undefined;
  const [, date, time = '00:00:00', fraction = '', zone = 'Z'] = FORM.exec(text.trim()) ?? [];
  if (date === undefined) return undefined;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const milliseconds = Date.parse(`${date}T${time}${offset}`);
  if (Number.isNaN(milliseconds)) return undefined;
  return milliseconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
