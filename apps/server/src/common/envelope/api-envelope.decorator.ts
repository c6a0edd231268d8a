import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { StatusBlockDto } from './envelope.dto.js';

/**
 * Documents the answer of an enveloped route: `{status, data}` with `data` of the given class, or a list of it; `csv`:
 * also a table, without envelope.
 */
export function ApiEnvelope(
  dto: Type,
  options: { list?: boolean; csv?: boolean } = {},
): MethodDecorator & ClassDecorator {
  const item = { $ref: getSchemaPath(dto) };
  const schema = {
    type: 'object',
    required: ['status', 'data'],
    properties: {
      status: { $ref: getSchemaPath(StatusBlockDto) },
      data: options.list ? { type: 'array', items: item } : item,
    },
  };
  const content = { 'application/json': { schema }, 'text/csv': { schema: { type: 'string' } } };
  return applyDecorators(
    ApiExtraModels(StatusBlockDto, dto),
    ApiOkResponse({ description: 'OK', ...(options.csv ? { content } : { schema }) }),
  );
}
