/** Up to this many metrics, all are counted for suggestions. */
const MAX_COUNTED = 20_000;
/** Of more metrics, a sample of this size is drawn: the same for the same selection, possibly with duplicates. */
const DRAWN = 5000;
/** Dotted names are suggested down to this depth. */
const SUGGESTED_SEGMENTS = 4;

export interface LabelCount {
  key: string;
  value: string;
  count: number;
}

export interface NameCount {
  beginning: string;
  count: number;
}

export interface NarrowingsWanted {
  /** Only suggestions whose chip contains this text, ignoring case; empty for all. */
  typed: string;
  /** Include suggestions that all selected metrics have. */
  includesCommon: boolean;
  /** False: only labels. */
  names?: boolean;
  /** Maximum number of labels, and of name prefixes. */
  most: number;
}

/** Suggestions that narrow a selection of metrics, most frequent first. */
export interface Narrowings {
  total: number;
  labels: LabelCount[];
  names: NameCount[];
}

/**
 * SQL of a text for a case-insensitive comparison. Chips may contain quotes and backslashes that their texts do not.
 */
const bare = (text: string): string => `translate(lower(${text}), '"\\', '')`;

/**
 * SQL of one row {total, size of the sample, labels, names}. `hits` returns one row {total, ids}. Parameters are
 * `NarrowingsWanted`. Without names these are not computed, and are an empty list. Equal texts are counted first,
 * because case folding takes longer and then sees each text once.
 *
 * Each metric of the sample is looked up by its id (OFFSET keeps the subquery separate). With a join, a planner that
 * assumes an empty table, because all metrics were created within seconds, would compare each metric with each of the
 * sample.
 */
export function narrowingsSql(hits: string, withNames = true): string {
  const fits = (text: string): string => `strpos(${bare(text)}, ${bare(':typed')}) > 0`;
  const isMeant = `(:includesCommon OR sum(each.count) < (SELECT size FROM sampled))`;
  return `
    WITH hits AS MATERIALIZED (${hits}),
    sample AS MATERIALIZED (
      SELECT m.display_name AS name, m.labels
      FROM hits
      CROSS JOIN generate_series(1, CASE WHEN hits.total > ${String(MAX_COUNTED)} THEN ${String(DRAWN)} ELSE hits.total END) AS n
      CROSS JOIN LATERAL (
        SELECT metric.display_name, metric.labels FROM metric WHERE metric.id = hits.ids[
          CASE WHEN hits.total > ${String(MAX_COUNTED)} THEN 1 + (((hashint4(n)::bigint + 2147483648) * hits.total) >> 32) ELSE n END
        ] OFFSET 0
      ) AS m
    ),
    sampled AS MATERIALIZED (SELECT count(*)::int AS size FROM sample),
    label AS MATERIALIZED (
      SELECT pair.key, pair.value, count(*)::int AS count
      FROM sample CROSS JOIN jsonb_each_text(sample.labels) AS pair
      GROUP BY pair.key, pair.value
    ),
    labels AS (
      SELECT min(each.key) AS key, min(each.value) AS value, sum(each.count)::int AS count
      FROM label AS each
      WHERE ${fits(`each.key || ':' || each.value`)}
      GROUP BY lower(each.key), lower(each.value)
      HAVING ${isMeant}
      ORDER BY sum(each.count) DESC, lower(each.key), min(each.value)
      LIMIT :most
    ),
    named AS MATERIALIZED (
      SELECT name, count(*)::int AS count, (count(*) FILTER (WHERE labels <> '{}'))::int AS labelled
      FROM sample GROUP BY name
    ),
    beginning AS MATERIALIZED (
      SELECT array_to_string(segments[1:depth], '.') || '.' AS beginning, named.count
      FROM named,
           string_to_array(named.name, '.') AS segments,
           generate_series(1, least(cardinality(segments) - 1, ${String(SUGGESTED_SEGMENTS)})) AS depth
      UNION ALL
      SELECT named.name || '{', named.labelled FROM named WHERE named.labelled > 0
    ),
    names AS (
      SELECT min(each.beginning) AS beginning, sum(each.count)::int AS count
      FROM beginning AS each
      WHERE ${fits(`each.beginning || '*'`)}
      GROUP BY lower(each.beginning)
      HAVING ${isMeant}
      ORDER BY sum(each.count) DESC, min(each.beginning)
      LIMIT :most
    )
    SELECT hits.total, sampled.size,
           (SELECT coalesce(jsonb_agg(to_jsonb(labels)), '[]') FROM labels) AS labels,
           ${withNames ? `(SELECT coalesce(jsonb_agg(to_jsonb(names)), '[]') FROM names)` : `'[]'::jsonb`} AS names
    FROM hits, sampled`;
}
