import { type Schema } from '../../lib/api';
import { areNameLines, linesOf, textsOf } from './name-lines';

type ConfigField = Schema<'ConfigFieldDto'>;
export type FieldValue = ConfigField['value'];

/** A setting in the form: text for typed values, a list for selected ones. */
export type FieldDraft = string | boolean | readonly string[];
export type IntegrationDraft = Readonly<Record<string, FieldDraft>>;

/** The body for the API; null clears a setting. */
export type IntegrationBody = Record<string, FieldValue>;

/** A setting of the organisation itself; the default is shown next to the field, or selected in it. */
export function draftOf({ type, value, source }: ConfigField): FieldDraft {
  const own = source === 'org' ? value : null;
  switch (type) {
    case 'secret':
      return '';
    case 'bool':
      return value === true;
    case 'list':
      return Array.isArray(value) ? value.map(String) : [];
    case 'select':
      return textOf(value);
    case 'object':
      return isTexts(own) ? linesOf(own) : '';
    default:
      return textOf(own);
  }
}

export const draftsOf = (fields: readonly ConfigField[]): IntegrationDraft =>
  Object.fromEntries(fields.map((field) => [field.key, draftOf(field)]));

/** The value that applies while the field is empty. */
export function placeholderOf({ type, value, default: standard, source }: ConfigField): string {
  if (type === 'secret' || type === 'object') return '';
  return textOf(source === 'org' ? standard : (value ?? standard));
}

function textOf(value: FieldValue): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isTexts(value: FieldValue): value is Record<string, string> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Input that cannot be sent. */
export type IntegrationLack = 'lines' | 'number';

/** The problem of a field; null if there is none. */
export function lackOf({ type }: ConfigField, draft: FieldDraft | undefined): IntegrationLack | null {
  if (typeof draft !== 'string') return null;
  if (type === 'int') return /^\d{0,9}$/.test(draft.trim()) ? null : 'number';
  if (type === 'object') return areNameLines(draft) ? null : 'lines';
  return null;
}

/** The settings that differ from the stored ones. */
export function bodyOf(fields: readonly ConfigField[], draft: IntegrationDraft): IntegrationBody {
  const changed = fields.filter((field) => {
    const value = draft[field.key];
    return value !== undefined && JSON.stringify(value) !== JSON.stringify(draftOf(field));
  });
  return Object.fromEntries(changed.map((field) => [field.key, valueOf(field, draft[field.key]!)]));
}

function valueOf({ type }: ConfigField, draft: FieldDraft): FieldValue {
  if (typeof draft === 'boolean') return draft;
  if (typeof draft !== 'string') return [...draft];
  const text = draft.trim();
  if (text === '') return null;
  if (type === 'int') return Number(text);
  if (type !== 'object') return text;
  return textsOf(text);
}

/** Clears everything that the organisation has set. */
export const clearedBody = (fields: readonly ConfigField[]): IntegrationBody =>
  Object.fromEntries(fields.filter(({ source }) => source === 'org').map(({ key }) => [key, null]));
