import { isDeepStrictEqual } from 'node:util';
import { type ConfigFields } from '../../platform/config-kind/config-kind.types.js';

/**
 * A line for each member that differs: `sensitivity: 1 -> 0.5`. Without one of the two, all that the other says.
 * @param secrets members whose values are not shown, only that they change
 */
export function diffOf(before: ConfigFields | null, after: ConfigFields | null, secrets: ReadonlySet<string>): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .flatMap((name) => {
      const [was, is] = [before?.[name] ?? null, after?.[name] ?? null];
      if (isDeepStrictEqual(was, is)) return [];
      if (secrets.has(name)) return [`${name}: ${was === null ? 'set' : is === null ? 'removed' : 'changed'}`];
      if (before === null) return [`${name}: ${JSON.stringify(is)}`];
      if (after === null) return [`${name}: ${JSON.stringify(was)}`];
      return [`${name}: ${JSON.stringify(was)} -> ${JSON.stringify(is)}`];
    })
    .join('\n');
}
