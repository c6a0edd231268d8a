/** An address whose window has fixed edges, Unix seconds, instead of a length that ends now. */
export function withTimes(href: string, { from, until }: { from: number; until: number }): string {
  const url = new URL(href);
  url.searchParams.delete('w');
  url.searchParams.set('from', String(Math.floor(from)));
  url.searchParams.set('until', String(Math.ceil(until)));
  return url.href;
}
