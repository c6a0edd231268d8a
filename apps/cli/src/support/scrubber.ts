const HIDDEN = '[hidden]';
/** Minimum length of a secret: shorter ones would remove words and figures everywhere. */
const MIN_LENGTH = 4;

/** Texts that look like secrets of any kind. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bpl_[\w-]+/g, HIDDEN],
  [/\bwhsec_[\w+/=-]+/g, HIDDEN],
  [/\b(?:sk|rk|pk)_(?:live|test)_\w+/g, HIDDEN],
  [/\b[0-9a-f]{32}(?:[0-9a-f]{32})?\b/gi, HIDDEN],
  // A login in an address: from the slashes to the @.
  [/:\/\/[^\s/@"']{1,500}@/g, `://${HIDDEN}@`],
  [/\b(bearer|basic|token|apikey)\s+[\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`],
  [
    /(["']?[\w-]{0,40}(?:password|passwd|secret|api[_-]?key|authorization|cookie|routing_key|webhook)[\w-]{0,40}["']?\s{0,4}[:=]\s{0,4})("[^"]{0,2000}"|'[^']{0,2000}'|[^\s,;&}"']{1,2000})/gi,
    `$1"${HIDDEN}"`,
  ],
];

/**
 * Removes secrets from texts: known secrets in every form in which they may be written, and texts that look like a
 * secret.
 */
export class Scrubber {
  private readonly known: readonly string[];

  constructor(secrets: Iterable<string>) {
    const forms = [...secrets].map((secret) => secret.trim()).filter((secret) => secret.length >= MIN_LENGTH);
    const all = forms.flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
    ]);
    // Long secrets first, because a short one may be part of a long one.
    this.known = [...new Set(all)].sort((a, b) => b.length - a.length);
  }

  clean(text: string): string {
    let clean = text;
    for (const secret of this.known) clean = clean.replaceAll(secret, HIDDEN);
    for (const [pattern, instead] of PATTERNS) clean = clean.replace(pattern, instead);
    return clean;
  }
}

/** A statement with its values removed. */
export function withoutValues(statement: string): string {
  return statement
    .slice(0, 4000)
    .replace(/\$(\w*)\$[\s\S]*/g, '?')
    .replace(/'(?:[^']|'')*(?:'|$)/g, '?')
    .replace(/\b\d+(?:\.\d+)?\b/g, '?');
}
