/** Search of a link that keeps window and zone of the page it stands on. */
export function keepView({ w, from, until, tz }: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ w, from, until, tz }).filter(([, value]) => value !== undefined));
}
