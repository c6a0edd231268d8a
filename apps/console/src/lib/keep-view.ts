/** Search parameters of a link that keeps the window and zone of its page. */
export function keepView({ w, from, until, tz }: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ w, from, until, tz }).filter(([, value]) => value !== undefined));
}
