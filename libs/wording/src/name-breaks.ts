/** Positions where names of metrics may break: after separators of their parts, and before labels. */
const SEPARATORS = new Set(['.', ',', '/', ':', ';', '|', '_', '-']);
/**
 * Characters that stay with the separator before them: another separator, and whitespace, at which lines break anyway.
 */
const GLUED = /[.,/:;|_\-\s]/;
const DIGIT = /\d/;

/**
 * Splits a name into pieces between which a line may break; joined, they are the name. `web-1.eth0.rx` breaks after its
 * dots and its hyphen, `up{job="api",env="live"}` before its labels and after each. The work is proportional to the
 * length.
 */
export function namePieces(name: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let i = 0; i < name.length; i++) {
    const isBefore = name[i] === '{' && i > start;
    // Several separators in a row stay together, and so does a separator at the end.
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

/** True for a separator within a number, such as `3.4` or `10:00`. */
const isInNumber = (name: string, i: number): boolean => DIGIT.test(name[i - 1] ?? '') && DIGIT.test(name[i + 1]!);
