import { type Schema } from '../../lib/api';
import { isolated } from '../../lib/isolated';
import { texts } from './audit.texts';

type Entry = Schema<'AuditEntryDto'>;

/** Kinds of objects of entries. */
export const OBJECT_TYPES = [
  'admin_alert',
  'anomaly',
  'exclusion',
  'integration',
  'match',
  'metric',
  'org',
  'pattern',
  'source',
  'token',
  'tuning',
  'user',
  'watcher',
] as const;

export function actorText({ type, display_name: name, token_ref: ref }: Entry['actor']): string {
  if (type === 'token') return ref === null ? texts.actors.token : texts.token(name || String(ref));
  if (type !== 'user') return texts.actors[type];
  return name === '' ? texts.actors.user : isolated(name);
}

const LONGEST_VALUE = 120;

/** An old or new value, short enough for a row. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return texts.unset;
  const text = plainText(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function plainText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? texts.empty : value.map(plainText).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value);
  // Flags such as permissions: the names of those that are set.
  if (members.every(([, member]) => typeof member === 'boolean')) {
    return members.flatMap(([name, holds]) => (holds === true ? [name] : [])).join(', ') || texts.empty;
  }
  return members.map(([name, member]) => `${name} ${plainText(member)}`).join(', ');
}

export const changeText = ({ field, before, after }: Entry['changes'][number]): string =>
  texts.change(field, valueText(before), valueText(after));
