/** Equal for equal tunings: with the same name and the same chips, in any order. */
export function sameTuningKey(name: string, chips: readonly string[]): string {
  return JSON.stringify([name, ...[...chips].sort()]);
}

/**
 * Sort order of tunings that select the same metric, the one that applies first: the one with more chips, then the
 * newer one.
 */
export function byPrecedence(
  one: { chips: readonly unknown[]; createdAt: Date; id: number },
  other: { chips: readonly unknown[]; createdAt: Date; id: number },
): number {
  return (
    other.chips.length - one.chips.length || other.createdAt.getTime() - one.createdAt.getTime() || other.id - one.id
  );
}
