import { type NamesOfSeries } from '#libs/series';

/** Names of metrics as series outside of the database bear them. */
export const metricNames: NamesOfSeries = async (database, ids) => {
  const { rows } = await database.query<{ id: number; org: number; name: string; labels: Record<string, string> }>(
    'SELECT id, org_id AS org, display_name AS name, labels FROM metric WHERE id = ANY($1::int[])',
    [ids],
  );
  return new Map(rows.map(({ id, ...name }) => [id, name]));
};
