/** The page needs nothing from outside, and only the console and chosen sites may frame it. */
export function contentPolicy(frameAncestors: readonly string[]): string {
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    ['frame-ancestors', "'self'", ...frameAncestors].join(' '),
  ].join('; ');
}
