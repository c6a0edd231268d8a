import { type Request } from 'express';
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

/** Headers that every path accepts, true or false. */
export const SWITCH_HEADERS = { test: 'X-Test-Only', backfill: 'X-Backfill' } as const;

/**
 * Refuses headers and parameters that would change nothing: a switch that is neither on nor off, on every path; unknown
 * parameters and a name with several values only on paths whose rule lists the parameters.
 * @throws IngestParameterError
 */
export function checkParameters(request: Request, { parameters }: BodyRule): void {
  const details: ErrorDetail[] = [];
  for (const name of Object.values(SWITCH_HEADERS)) details.push(...switchProblems(name, request.get(name)));
  if (parameters !== undefined) details.push(...queryProblems(request.query, parameters));
  if (details.length > 0) throw new IngestParameterError(details.slice(0, MAX_PROBLEMS));
}

function queryProblems(query: Query, parameters: readonly string[]): ErrorDetail[] {
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
    } else if (name === 'backfill') {
      details.push(...switchProblems(name, value));
    }
    if (details.length === MAX_PROBLEMS) break;
  }
  return details;
}

function switchProblems(field: string, value: unknown): ErrorDetail[] {
  const text = parameterOf(value);
  if (text === undefined || switchOf(text) !== undefined) return [];
  return [{ field, code: 'not_boolean', message: `${field} must be true or false, got ${quoted(text)}` }];
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
