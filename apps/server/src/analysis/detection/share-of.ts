/**
 * How many partitions are the share of a process: as many as of every other, the rest to those that come first in the order of
 * ids. Every process computes the same from the same list, so no one has to decide.
 * @param members ids of all processes that detect, in any order; `id` is one of them
 */
export function shareOf(id: string, members: readonly string[], partitions: number): number {
  const before = members.filter((other) => other < id).length;
  return Math.floor(partitions / members.length) + (before < partitions % members.length ? 1 : 0);
}
