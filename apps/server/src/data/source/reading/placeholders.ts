/** Placeholders of a query: times of the window in the format of the language, as Unix seconds, and the interval. */
const PLACEHOLDERS = ['from', 'until', 'from_seconds', 'until_seconds', 'interval'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Query text in pieces: literal text, and placeholders. */
export type QueryPiece = string | { placeholder: Placeholder };

/**
 * Texts, quoted names and comments of SQL and InfluxQL, in which a colon has no meaning; `::` of a cast; and
 * placeholders. Each alternative begins with a different character, or with one that immediately distinguishes it from
 * the others.
 */
const TOKEN =
  /'(?:[^'\\]|\\[^]|'')*'?|"(?:[^"\\]|\\[^]|"")*"?|`[^`]*`?|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|::|:([a-z_]+)/gy;

/** O(length). */
export function piecesOf(query: string): QueryPiece[] {
  const pieces: QueryPiece[] = [];
  let plain = '';
  for (let at = 0; at < query.length;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(query);
    const text = match?.[0] ?? query[at]!;
    const placeholder = PLACEHOLDERS.find((known) => known === match?.[1]);
    at += text.length;
    if (placeholder === undefined) {
      plain += text;
      continue;
    }
    if (plain !== '') pieces.push(plain);
    plain = '';
    pieces.push({ placeholder });
  }
  if (plain !== '') pieces.push(plain);
  return pieces;
}

/** True if a query contains its time window. One that does not can only be read for the present. */
export function namesWindow(query: string): boolean {
  return piecesOf(query).some((piece) => typeof piece !== 'string' && piece.placeholder !== 'interval');
}
