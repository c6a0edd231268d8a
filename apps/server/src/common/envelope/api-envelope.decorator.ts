import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { StatusBlockDto } from './envelope.dto.js';

/** Documents the answer of an enveloped route: `{status, data}` with `data` of the given class, or a list of it. */
export function ApiEnvelope(dto: Type, options: { list?: boolean } = {}): MethodDecorator & ClassDecorator {
  const item = { $ref: getSchemaPath(dto) };
  return applyDecorators(
    ApiExtraModels(StatusBlockDto, dto),
    ApiOkResponse({
      description: 'OK',
      schema: {
        type: 'object',
        required: ['status', 'data'],
        properties: {
          status: { $ref: getSchemaPath(StatusBlockDto) },
          data: options.list ? { type: 'array', items: item } : item,
        },
      },
    }),
  );
}
