import { type ReadObject } from './config-document.types.js';

/**
 * Line of a member, or of a member inside it (`recurrence.days`); the line of the object if there is no such member.
 */
export function lineOf({ line, lines }: ReadObject, path: string): number {
  return lines.get(path.split('.', 1)[0]!) ?? line;
}
