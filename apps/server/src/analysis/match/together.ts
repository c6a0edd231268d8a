/**
 * Does work on many rows at once; where that fails, on each alone, so that one that cannot be done holds up no other.
 * Rejects with the first failure, once all have had their turn.
 */
export async function togetherOrAlone<Row>(
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  try {
    await work(rows);
  } catch (error) {
    if (rows.length < 2) throw error;
    const failures: unknown[] = [];
    for (const row of rows) await work([row]).catch((failure: unknown) => failures.push(failure));
    if (failures.length > 0) throw failures[0];
  }
}

/** Rows by a key, both in the order in which they come. */
export function groupedBy<Row, Key>(rows: readonly Row[], keyOfRow: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOfRow(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
