/**
 * Processes many rows together; if that fails, each row separately, so that one failing row does not block the others.
 * Rejects with the first failure, after all have been tried.
 */
export async function batchOrEach<Row>(
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

/** Rows by key, both in their original order. */
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
