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
import { ApiConsumes, ApiResponse } from '@nestjs/swagger';
import { type Response } from 'express';
import { map, type Observable } from 'rxjs';
import { IngestAccess } from '../common/auth/access.decorators.js';
import { RawResponse } from '../common/envelope/raw-response.decorator.js';
import { type BodyRule } from './ingest-body.js';
import { BODY_RULE, IngestGuard } from './ingest.guard.js';
import { type IngestAnswer } from './ingest.types.js';

/** Sends an IngestAnswer: the status depends on what became of the points, and the body has no envelope. */
@Injectable()
export class IngestAnswerInterceptor implements NestInterceptor<IngestAnswer, object | undefined> {
  intercept(execution: ExecutionContext, next: CallHandler<IngestAnswer>): Observable<object | undefined> {
    const response = execution.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map(({ status, body }) => {
        response.status(status);
        return body;
      }),
    );
  }
}

/** A POST that takes points: where, and in which bodies. */
export function IngestRoute(paths: string[], rule: BodyRule): MethodDecorator {
  return applyDecorators(
    Post(paths),
    SetMetadata(BODY_RULE, rule),
    IngestAccess(),
    RawResponse(),
    UseGuards(IngestGuard),
    UseInterceptors(IngestAnswerInterceptor),
    ApiConsumes(...rule.types.filter((type) => !type.endsWith('/*'))),
    ApiResponse({ status: 204, description: 'All points are stored' }),
  );
}
