/** Indexed prefix of a name, in characters: a B-tree entry is limited to less than the longest name. */
export const INDEXED_CHARACTERS = 128;

/** SQL: the part of a display name that the index of `metric` stores after `org_id`; compared as bytes. */
export const displayNameStart = (text: string): string => `left(${text}, ${String(INDEXED_CHARACTERS)}) COLLATE "C"`;

/**
 * SQL: true if row `m` of `metric` has this display name. Uses the index if `m.org_id` is restricted as well.
 * @param value SQL of a text
 */
export function displayNameIs(value: string): string {
  return `${displayNameStart('m.display_name')} = ${displayNameStart(value)} AND m.display_name = ${value}`;
}

/** The same for any of several names. `values` is the SQL of an array of texts. */
export function displayNameIsAnyOf(values: string): string {
  const starts = `ARRAY(SELECT ${displayNameStart('each')} FROM unnest(${values}) AS each)`;
  return `${displayNameStart('m.display_name')} = ANY(${starts}) AND m.display_name = ANY(${values})`;
}
