/** A seed (32 bits) from words and numbers: the same parts give the same seed. Source: FNV-1a, Fowler, Noll and Vo. */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const character of parts.join('\u0000')) {
    hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  }
  return hash;
}
