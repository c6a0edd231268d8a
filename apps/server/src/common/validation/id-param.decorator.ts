import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { type Request } from 'express';
import { NotFoundError } from '../errors/app-error.js';
import { MAX_ROW_ID } from './param-kind.js';
import { shownName } from './param-message.js';

const PathId = createParamDecorator((name: string, context: ExecutionContext): number => {
  return parseId(name, context.switchToHttp().getRequest<Request>().params[name]);
});

/**
 * An id in the path. A value that cannot be an id is answered like an id that does not exist.
 *
 * @param description for the API description, if its glossary (views/doc) does not define the name
 */
export function IdParam(name: string, description?: string): ParameterDecorator {
  return (target, key, index) => {
    PathId(name)(target, key, index);
    const schema = { type: 'integer', minimum: 1, maximum: MAX_ROW_ID };
    documentPath(target, key, { name, ...(description !== undefined && { description }), schema });
  };
}

/** Adds a path parameter to the API description of a handler. */
export function documentPath(
  target: object,
  key: string | symbol | undefined,
  parameter: { name: string; description?: string; schema: { type: string; minimum?: number; maximum?: number } },
): void {
  const method = Object.getOwnPropertyDescriptor(target, String(key));
  if (method !== undefined) ApiParam({ ...parameter, required: true })(target, String(key), method);
}

/** @throws NotFoundError unless the text is a positive whole number that can be an id. */
function parseId(name: string, text: unknown): number {
  const id = typeof text === 'string' && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id <= MAX_ROW_ID)) throw new IdNotFoundError(name, text);
  return id;
}

/** @param name of the parameter: `anomaly_id` */
class IdNotFoundError extends NotFoundError {
  constructor(name: string, given: unknown) {
    const what = name.replace(/_id$/, '').replaceAll('_', ' ');
    super(`There is no ${what} with the id ${shownName(given)}.`);
  }
}
