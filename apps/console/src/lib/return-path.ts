const BASE = 'http://console.invalid';

/** A path of this console from an untrusted address: one that could lead to another site becomes `fallback`. */
export function returnPath(text: unknown, fallback = '/'): string {
  if (typeof text !== 'string' || !text.startsWith('/')) return fallback;
  // Browsers treat a backslash as a slash, and ignore tabs and line ends: `/\host` and `/<tab>/host` are other hosts.
  if (/[\\\p{Cc}]/u.test(text) || text.startsWith('//')) return fallback;
  const url = URL.parse(text, BASE);
  if (url?.origin !== BASE || url.pathname.startsWith('//') || url.pathname === '/login') return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}
