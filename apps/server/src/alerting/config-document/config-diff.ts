import { type ConfigFields } from '../../platform/config-kind/config-kind.types.js';

/** A line for each member that differs: `sensitivity: 1 -> 0.5`. Without one of the two, all that it says. */
export function diffOf(before: ConfigFields | null, after: ConfigFields | null): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .flatMap((name) => {
      const [was, is] = [textOf(before?.[name]), textOf(after?.[name])];
      if (before === null) return isEmpty(after?.[name]) ? [] : [`${name}: ${is}`];
      if (after === null) return isEmpty(before[name]) ? [] : [`${name}: ${was}`];
      return was === is ? [] : [`${name}: ${was} -> ${is}`];
    })
    .join('\n');
}

const textOf = (value: unknown): string => JSON.stringify(value ?? null);

function isEmpty(value: unknown): boolean {
  return value == null || value === '' || (Array.isArray(value) && value.length === 0);
}
