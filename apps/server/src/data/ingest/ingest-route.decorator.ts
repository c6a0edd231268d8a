import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  Post,
  SetMetadata,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { type Response } from 'express';
import { catchError, map, type Observable } from 'rxjs';
import { IngestAccess } from '../../common/auth/access.decorators.js';
import { RawResponse } from '../../common/http/answer.decorators.js';
import { IngestErrorDto, IngestReportDto, RpcStatusDto } from './dto/ingest-answers.dto.js';
import { type BodyRule } from './ingest-body.js';
import { IngestTelemetry } from './ingest-telemetry.service.js';
import { BODY_RULE, IngestGuard } from './ingest.guard.js';
import { type IngestAnswer } from './ingest.types.js';

/** Sends an IngestAnswer: the status depends on what became of the points, and the body has no envelope. */
@Injectable()
export class IngestAnswerInterceptor implements NestInterceptor<IngestAnswer, object | undefined> {
  constructor(private readonly telemetry: IngestTelemetry) {}

  intercept(execution: ExecutionContext, next: CallHandler<IngestAnswer>): Observable<object | undefined> {
    const response = execution.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map(({ status, body, contentType, headers }) => {
        response.status(status);
        if (headers) response.set(headers);
        if (contentType !== undefined) response.type(contentType);
        return body;
      }),
      catchError((error: unknown) => {
        this.telemetry.rejectedBody(error);
        throw error;
      }),
    );
  }
}

/** How a path answers what was refused, for the API description. */
const REFUSALS = {
  report: { status: 207, description: 'Some or all points are refused', type: IngestReportDto },
  partialWrite: { status: 400, description: 'Malformed, or a partial write', type: IngestErrorDto },
  partialSuccess: {
    status: 200,
    description: 'Stored; partialSuccess says what was refused',
    schema: { type: 'object' },
  },
} as const;

const ERRORS = {
  400: 'Malformed body',
  401: 'No token, or an unknown or expired one',
  403: 'The token lacks the permission `ingest`',
  413: 'Too large, as sent or decompressed, or too many points',
  415: 'Another Content-Type or Content-Encoding',
  429: 'A limit is reached, or the queue is full; see Retry-After',
  503: 'The storage is unavailable; see Retry-After',
} as const;

export interface IngestRouteDescription {
  summary: string;
  /** `partialSuccess` is said with what is said when all is well. */
  refusals: keyof typeof REFUSALS;
}

/** A POST that takes points: where, in which bodies, and what it is called in the API description. */
export function IngestRoute(paths: string[], rule: BodyRule, description: IngestRouteDescription): MethodDecorator {
  const errorDto = rule.errors === 'rpc-status' ? RpcStatusDto : IngestErrorDto;
  return applyDecorators(
    Post(paths),
    SetMetadata(BODY_RULE, rule),
    IngestAccess(),
    RawResponse(),
    UseGuards(IngestGuard),
    UseInterceptors(IngestAnswerInterceptor),
    ApiOperation({ summary: description.summary }),
    ApiConsumes(...rule.types.filter((type) => !type.includes('*'))),
    ApiBody({
      schema: rule.types[0] === 'application/json' ? { type: 'object' } : { type: 'string', format: 'binary' },
    }),
    ...(description.refusals === 'partialSuccess'
      ? []
      : [ApiResponse({ status: 204, description: 'All points are stored' })]),
    ...Object.entries(ERRORS).map(([status, text]) =>
      ApiResponse({ status: Number(status), description: text, type: errorDto }),
    ),
    ApiResponse(REFUSALS[description.refusals]),
  );
}
