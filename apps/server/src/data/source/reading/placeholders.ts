/** What a query may ask for: times of the window as the language writes them, as Unix seconds, and the interval. */
const PLACEHOLDERS = ['from', 'until', 'from_seconds', 'until_seconds', 'interval'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Query text in pieces: what is taken as it is, and placeholders. */
export type QueryPiece = string | { placeholder: Placeholder };

/**
 * Texts, quoted names and comments of SQL and InfluxQL, in which a colon means nothing; `::` of a cast; and placeholders. Each
 * alternative begins with another character, or with one that tells it from the others at once.
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

/** Whether a query says which part of time it wants. One that does not can be asked for the present alone. */
export function namesWindow(query: string): boolean {
  return piecesOf(query).some((piece) => typeof piece !== 'string' && piece.placeholder !== 'interval');
}
