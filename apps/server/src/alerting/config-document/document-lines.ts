import { type ReadObject } from './config-document.types.js';

/** Line of a member, which may be named with members of its own (`recurrence.days`); that of the object without such a one. */
export function lineOf({ line, lines }: ReadObject, path: string): number {
  return lines.get(path.split('.', 1)[0]!) ?? line;
}
