import { type Schema } from '../../lib/api';

type Pattern = Pick<Schema<'PatternDto'>, 'id' | 'parent_id'>;

/** Patterns that were derived from another one, directly or indirectly, nearest first. */
export function descendantsOf<Item extends Pattern>(id: number, family: readonly Item[]): Item[] {
  const found: Item[] = [];
  const known = new Set([id]);
  for (let parents = [id]; parents.length > 0;) {
    const children = family.filter((pattern) => parents.includes(pattern.parent_id) && !known.has(pattern.id));
    for (const child of children) known.add(child.id);
    found.push(...children);
    parents = children.map((child) => child.id);
  }
  return found;
}
