/** Positions where names of metrics may break: after separators of their parts, and before labels. */
const SEPARATORS = new Set(['.', ',', '/', ':', ';', '|', '_', '-']);
/** Characters that stay with the separator before them: another one, and blanks, at which lines break anyway. */
const GLUED = /[.,/:;|_\-\s]/;
const DIGIT = /\d/;

/**
 * The pieces of a name between which a line may break; joined they are the name. `web-1.eth0.rx` breaks after its dots and
 * its hyphen, `up{job="api",env="live"}` before its labels and after each. Work grows with the length alone.
 */
export function namePieces(name: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let i = 0; i < name.length; i++) {
    const isBefore = name[i] === '{' && i > start;
    // Several of them in a row stay together, and so does a separator at the end.
    const isAfter =
      SEPARATORS.has(name[i]!) && i + 1 < name.length && !GLUED.test(name[i + 1]!) && !isInNumber(name, i);
    if (isBefore) {
      pieces.push(name.slice(start, i));
      start = i;
    } else if (isAfter) {
      pieces.push(name.slice(start, i + 1));
      start = i + 1;
    }
  }
  pieces.push(name.slice(start));
  return pieces;
}

/** `3.4` and `10:00` are one. */
const isInNumber = (name: string, i: number): boolean => DIGIT.test(name[i - 1] ?? '') && DIGIT.test(name[i + 1]!);
