import { type ErrorDetail } from '#libs/contracts';
import { type Fields, type FieldValue } from './service-fields.types.js';

/** Values of a request by field, null if one is cleared. */
export type Given = Readonly<Record<string, FieldValue | null>>;

/** The given values, cleared fields as null. */
export function givenOf(params: object): Given {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

export function foreignFields(fields: Fields, given: Given): ErrorDetail[] {
  return Object.keys(given)
    .filter((field) => fields[field] === undefined)
    .map((field) => ({
      field,
      code: 'unknown_parameter',
      message: `${field} is not a setting of this integration`,
    }));
}
