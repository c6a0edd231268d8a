import { isMasked } from '../../common/secrets/secrets.js';
import { type ConfigFields } from '../../platform/config-kind/config-kind.types.js';

const PLACEHOLDER = /(\$?)(\$\{[A-Za-z_]\w*\})/g;
const WHOLE = /^\$\{[A-Za-z_]\w*\}$/;

export const placeholderFor = (variable: string): string => `\${${variable}}`;

/** True if a text represents the stored secret: a placeholder that was not filled in, or the mask that answers show. */
export const isStandIn = (value: unknown): boolean =>
  typeof value === 'string' && (WHOLE.test(value.trim()) || isMasked(value));

/** Escapes values for documents: `${NAME}` as `$${NAME}`. */
export const escaped = (fields: ConfigFields): ConfigFields =>
  mapped(fields, (text) => text.replace(PLACEHOLDER, '$$$&')) as ConfigFields;

/** The inverse of `escaped`. */
export const unescaped = (fields: ConfigFields): ConfigFields =>
  mapped(fields, (text) =>
    text.replace(PLACEHOLDER, (whole, escape: string) => (escape ? whole.slice(1) : whole)),
  ) as ConfigFields;

/** The first placeholders of a value that were not filled in. */
export function unfilled(value: unknown, most: number): string[] {
  const found: string[] = [];
  mapped(value, (text) => {
    for (const [, escape, placeholder] of text.matchAll(PLACEHOLDER)) {
      if (found.length >= most) break;
      if (escape === '') found.push(placeholder!);
    }
    return text;
  });
  return found;
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, change)]));
}
