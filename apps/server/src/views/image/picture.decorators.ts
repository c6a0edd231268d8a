import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { RequirePermissionsOrSignature } from '../../common/auth/access.decorators.js';
import { StatusBlockDto } from '../../common/envelope/envelope.dto.js';
import { CacheFor } from '../../common/http/answer.decorators.js';
import { RateLimit } from '../../common/http/rate-limits.js';
import { PICTURES } from './image-limits.types.js';

const PICTURES_KEPT_SECONDS = 60;

export const PNG = { 'image/png': { schema: { type: 'string', format: 'binary' } } };
export const SVG = { 'image/svg+xml': { schema: { type: 'string' } } };
const HTML = { 'text/html': { schema: { type: 'string' } } };

/** Shared decorators of all routes of pictures. */
export const Picture = (): MethodDecorator =>
  applyDecorators(
    RequirePermissionsOrSignature(Permission.Read),
    CacheFor(PICTURES_KEPT_SECONDS, 'private'),
    RateLimit(PICTURES),
  );

/** A page, a picture, or numbers. */
export const GraphAnswer = (numbers: Type): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(StatusBlockDto, numbers),
    ApiOkResponse({
      description: 'OK; with `format=json` in the envelope',
      content: {
        ...HTML,
        ...SVG,
        ...PNG,
        'application/json': {
          schema: {
            type: 'object',
            required: ['status', 'data'],
            properties: {
              status: { $ref: getSchemaPath(StatusBlockDto) },
              data: { $ref: getSchemaPath(numbers) },
            },
          },
        },
      },
    }),
  );
