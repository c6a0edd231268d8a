/** A piece of an excerpt; a hit is a word that was looked for. */
export interface Piece {
  text: string;
  isHit: boolean;
}

const BEFORE = 40;
const LENGTH = 150;

/** The text around the first word that was found, in pieces; the beginning of the text where none of them stands in it. */
export function excerptOf(text: string, words: readonly string[]): Piece[] {
  const low = text.toLowerCase();
  const places = words.map((word) => low.indexOf(word)).filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const begin = first <= BEFORE ? 0 : Math.max(0, text.lastIndexOf(' ', first - BEFORE) + 1);
  return [
    ...(begin > 0 ? [{ text: '… ', isHit: false }] : []),
    ...piecesOf(text.slice(begin, begin + LENGTH), words),
    ...(begin + LENGTH < text.length ? [{ text: ' …', isHit: false }] : []),
  ];
}

/** The whole text in pieces. */
export function piecesOf(text: string, words: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  const add = (part: string, isHit: boolean): void => void (part !== '' && pieces.push({ text: part, isHit }));
  let at = 0;
  for (const [place, length] of hitsIn(text.toLowerCase(), words)) {
    add(text.slice(at, place), false);
    add(text.slice(place, place + length), true);
    at = place + length;
  }
  add(text.slice(at), false);
  return pieces;
}

/** Places of words and their lengths, from left to right, none within another. */
function hitsIn(low: string, words: readonly string[]): [number, number][] {
  const hits: [number, number][] = [];
  for (let at = 0; at < low.length;) {
    const from = at;
    const next = words
      .filter((word) => word !== '')
      .map((word): [number, number] => [low.indexOf(word, from), word.length])
      .filter(([place]) => place >= 0)
      .sort(([a, aLength], [b, bLength]) => a - b || bLength - aLength)[0];
    if (next === undefined) break;
    hits.push(next);
    at = next[0] + next[1];
  }
  return hits;
}
