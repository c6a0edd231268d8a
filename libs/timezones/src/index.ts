import { createRequire } from 'node:module';

/** Maximum number of characters of a name; every name of the database is shorter. */
const MAX_NAME_CHARACTERS = 64;

let known: ReadonlySet<string> | undefined;
let usable: ReadonlySet<string> | undefined;

/** True for a name that `timezoneNames` lists, in its spelling. */
export function isTimezone(name: string): boolean {
  return name.length <= MAX_NAME_CHARACTERS && knownNames().has(name) && canFormat(name);
}

/**
 * Every name of the IANA time zone database that this runtime supports, current names (`Asia/Kolkata`) and former ones
 * (`Asia/Calcutta`), and `UTC`; in alphabetical order.
 */
export function timezoneNames(): ReadonlySet<string> {
  usable ??= new Set([...knownNames()].filter(canFormat).sort());
  return usable;
}

/** `Intl.supportedValuesOf` omits names that are links to others, including many current ones. */
function knownNames(): ReadonlySet<string> {
  known ??= new Set([...namesOfDatabase(), ...Intl.supportedValuesOf('timeZone'), 'UTC']);
  return known;
}

function namesOfDatabase(): string[] {
  const { zones } = createRequire(import.meta.url)('tzdata') as { zones: object };
  return Object.keys(zones);
}

/** The runtime may be older or newer than the list of names. */
function canFormat(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}
