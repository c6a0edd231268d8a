/** Characters of a name that an index holds: an entry of a B-tree is shorter than a name may be. */
export const INDEXED_CHARACTERS = 128;

/** SQL: the part of a display name that the index of `metric` has after `org_id`; compared by its bytes. */
export const displayNameStart = (text: string): string => `left(${text}, ${String(INDEXED_CHARACTERS)}) COLLATE "C"`;

/**
 * SQL: has row `m` of `metric` this display name? Answered by the index when `m.org_id` is given as well.
 * @param value SQL of a text
 */
export function displayNameIs(value: string): string {
  return `${displayNameStart('m.display_name')} = ${displayNameStart(value)} AND m.display_name = ${value}`;
}

/** The same for any of several; `values` is the SQL of an array of texts. */
export function displayNameIsAnyOf(values: string): string {
  const starts = `ARRAY(SELECT ${displayNameStart('each')} FROM unnest(${values}) AS each)`;
  return `${displayNameStart('m.display_name')} = ANY(${starts}) AND m.display_name = ANY(${values})`;
}
