import { type ErrorDetail } from '#libs/contracts';
import { excerpt, quoted } from '#libs/protocols';
import { KNOWN_EVERYWHERE } from '../../common/validation/request-parameters.js';
import { type BodyRule } from './ingest-body.js';
import { IngestParameterError } from './ingest.errors.js';

/** Characters of an unknown name that an answer quotes. */
const MAX_QUOTED_NAME = 100;
/** Maximum number of unknown names in an answer. */
const MAX_PROBLEMS = 100;

type Query = Readonly<Record<string, unknown>>;

/**
 * Refuses parameters that would change nothing: unknown ones, a name with several values, and a switch that is neither
 * on nor off. Only on paths whose rule lists the parameters.
 * @throws IngestParameterError
 */
export function checkParameters(query: Query, { parameters }: BodyRule): void {
  if (parameters === undefined) return;
  const details: ErrorDetail[] = [];
  for (const name of Object.keys(query)) {
    if (KNOWN_EVERYWHERE.has(name)) continue;
    const value = query[name];
    if (!parameters.includes(name)) {
      const field = excerpt(name, MAX_QUOTED_NAME);
      const message = `${field} is not a parameter of this path; the parameters are ${parameters.join(', ')}`;
      details.push({ field, code: 'unknown_parameter', message });
    } else if (Array.isArray(value) && parameterOf(value) === undefined) {
      details.push({ field: name, code: 'duplicate_parameter', message: `${name} is given with different values` });
    } else if (name === 'backfill' && parameterOf(value) !== undefined && switchOf(value) === undefined) {
      const message = `${name} must be true or false, got ${quoted(parameterOf(value)!)}`;
      details.push({ field: name, code: 'not_boolean', message });
    }
    if (details.length === MAX_PROBLEMS) break;
  }
  if (details.length > 0) throw new IngestParameterError(details);
}

/** The value of a parameter; undefined if it is missing, empty, or given with different values. */
export function parameterOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.every((other) => other === value[0]) ? parameterOf(value[0]) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Undefined if it is missing, or not a valid value of a switch. */
export function switchOf(value: unknown): boolean | undefined {
  const text = parameterOf(value)?.trim() ?? '';
  if (/^(true|1)$/i.test(text)) return true;
  return /^(false|0)$/i.test(text) ? false : undefined;
}
