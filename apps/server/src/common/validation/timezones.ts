let names: ReadonlySet<string> | undefined;

/** Names accepted as `timezone`: the IANA names this runtime knows, and UTC; in alphabetical order. */
export function timezoneNames(): ReadonlySet<string> {
  names ??= new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'].sort());
  return names;
}
