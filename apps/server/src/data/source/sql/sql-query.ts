import { type ReadWindow } from '../reading/driver.types.js';
import { piecesOf, type Placeholder } from '../reading/placeholders.js';

/** A statement with separate values. */
export interface BoundQuery {
  text: string;
  values: (string | number)[];
}

/**
 * A query whose placeholders are bound parameters.
 * @param style `numbered`: `$1`, one for each placeholder however often it occurs; `positional`: `?`
 */
export function boundQuery(query: string, window: ReadWindow, style: 'numbered' | 'positional'): BoundQuery {
  const values: (string | number)[] = [];
  const numberOf = new Map<Placeholder, number>();
  const mark = (placeholder: Placeholder): string => {
    const known = style === 'numbered' ? numberOf.get(placeholder) : undefined;
    if (known !== undefined) return `$${String(known)}`;
    const number = values.push(valueOf(placeholder, window, style));
    numberOf.set(placeholder, number);
    return style === 'numbered' ? `$${String(number)}` : '?';
  };
  const text = piecesOf(query)
    .map((piece) => (typeof piece === 'string' ? piece : mark(piece.placeholder)))
    .join('');
  return { text: withoutEnd(text), values };
}

/** Without the final semicolon, after which no clause may follow. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s;]/.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

function valueOf(placeholder: Placeholder, { from, until, stepSeconds }: ReadWindow, style: string): string | number {
  switch (placeholder) {
    case 'from':
      return timeText(from, style);
    case 'until':
      return timeText(until, style);
    case 'from_seconds':
      return from;
    case 'until_seconds':
      return until;
    case 'interval':
      return stepSeconds;
  }
}

/** The time zone of the session is UTC. PostgreSQL uses the offset for `timestamptz` and ignores it for `timestamp`. */
function timeText(seconds: number, style: string): string {
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  return style === 'numbered' ? `${text}Z` : text.replace('T', ' ');
}
