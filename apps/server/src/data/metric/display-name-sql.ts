/** Characters of a display name that its index holds: an entry of a B-tree is shorter than a name may be. */
const INDEXED_CHARACTERS = 128;

/**
 * SQL: has row `m` of `metric` this display name? Answered by the index when `m.org_id` is given as well.
 * @param value SQL of a text
 */
export function displayNameIs(value: string): string {
  return `${indexed('m.display_name')} = ${indexed(value)} AND m.display_name = ${value}`;
}

/** The same for any of several; `values` is the SQL of an array of texts. */
export function displayNameIsAnyOf(values: string): string {
  const beginnings = `ARRAY(SELECT ${indexed('each')} FROM unnest(${values}) AS each)`;
  return `${indexed('m.display_name')} = ANY(${beginnings}) AND m.display_name = ANY(${values})`;
}

const indexed = (text: string): string => `left(${text}, ${String(INDEXED_CHARACTERS)})`;
