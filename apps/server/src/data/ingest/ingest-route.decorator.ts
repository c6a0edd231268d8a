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
import {
  ApiBody,
  type ApiBodyOptions,
  ApiConsumes,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { type Response } from 'express';
import { catchError, map, type Observable } from 'rxjs';
import { IngestAccess } from '../../common/auth/access.decorators.js';
import { RawResponse } from '../../common/http/answer.decorators.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { IngestErrorDto, IngestReportDto, RpcStatusDto } from './dto/ingest-answers.dto.js';
import { type BodyRule } from './ingest-body.js';
import { SWITCH_HEADERS } from './ingest-parameters.js';
import { IngestTelemetryService } from './ingest-telemetry.service.js';
import { BODY_RULE, IngestGuard } from './ingest.guard.js';
import { type IngestAnswer } from './ingest.types.js';

/** Sends an IngestAnswer: the status depends on the outcome for the points, and the body has no envelope. */
@Injectable()
export class IngestAnswerInterceptor implements NestInterceptor<IngestAnswer, object | undefined> {
  constructor(private readonly telemetry: IngestTelemetryService) {}

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

/** How a path answers refused points, for the API description. */
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

/** Headers that every path accepts. */
const HEADERS = [
  { name: SWITCH_HEADERS.test, description: 'Nothing is stored; the answer is the report of what would have been.' },
  { name: SWITCH_HEADERS.backfill, description: 'The points are history: old ones are taken, and no alerts are sent.' },
];

/** An additional place for the token, besides those of the security schemes. */
const OTHER_TOKEN_PLACES =
  'The token also goes as `Authorization: Token …`, as the password of Basic authentication, or in the header `key`.';

const ENCODING_NAMES = { identity: 'none', gzip: '`gzip`', snappy: '`snappy`' } as const;

/** A parameter of the query string of one path. */
export interface IngestQuery {
  name: string;
  description: string;
  schema: { type: 'string' | 'boolean'; enum?: string[]; default?: string | boolean };
}

export interface IngestRouteDescription {
  summary: string;
  /** A sentence or two; the text for every path is added. */
  description: string;
  /** Default: JSON or bytes, by the first media type of the rule. */
  body?: ApiBodyOptions;
  queries?: readonly IngestQuery[];
  /** `partialSuccess` is documented together with the answer on success. */
  refusals: keyof typeof REFUSALS;
}

/** A request for information by a sender, by GET and POST: its token is checked as for points. */
export function IngestQuestion(path: string, rule: BodyRule): MethodDecorator {
  return applyDecorators(
    SetMetadata(BODY_RULE, rule),
    IngestAccess(),
    RawResponse(),
    UseGuards(IngestGuard),
    UseInterceptors(IngestAnswerInterceptor),
    // The last decorator: it copies the declarations of the others.
    Fetch(path),
  );
}

/** A POST that accepts points: its path, its bodies, and its name in the API description. */
export function IngestRoute(paths: string[], rule: BodyRule, description: IngestRouteDescription): MethodDecorator {
  const errorDto = rule.errors === 'rpc-status' ? RpcStatusDto : IngestErrorDto;
  return applyDecorators(
    Post(paths),
    SetMetadata(BODY_RULE, rule),
    IngestAccess(),
    RawResponse(),
    UseGuards(IngestGuard),
    UseInterceptors(IngestAnswerInterceptor),
    ApiExtraModels(IngestReportDto),
    ApiOperation({ summary: description.summary, description: wholeDescription(rule, description) }),
    ...HEADERS.map(({ name, description: text }) =>
      ApiHeader({ name, required: false, description: text, schema: { type: 'string', enum: ['true', 'false'] } }),
    ),
    ...(description.queries ?? []).map((query) => ApiQuery({ ...query, required: false })),
    ApiConsumes(...rule.types.filter((type) => !type.includes('*'))),
    ApiBody(description.body ?? { schema: { type: 'string', format: 'binary' } }),
    ...(description.refusals === 'partialSuccess'
      ? []
      : [
          ApiResponse({ status: 204, description: 'All points are stored, durably' }),
          ApiResponse({
            status: 200,
            description: 'In test mode: what would have been stored and refused',
            content: { 'application/json': { schema: { $ref: getSchemaPath(IngestReportDto) } } },
          }),
        ]),
    ...Object.entries(ERRORS).map(([status, text]) =>
      ApiResponse({ status: Number(status), description: text, type: errorDto }),
    ),
    ApiResponse(REFUSALS[description.refusals]),
  );
}

function wholeDescription(rule: BodyRule, { description }: IngestRouteDescription): string {
  const encodings = rule.encodings.map((name) => ENCODING_NAMES[name]).join(' or ');
  return `${description}\n\nContent-Encoding of the body: ${encodings}. ${OTHER_TOKEN_PLACES}`;
}
