import { applyDecorators } from '@nestjs/common';
import { ApiOperation, type ApiOperationOptions, ApiQuery, type ApiQueryOptions, ApiResponse } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { RequirePermissions, TokenInHeader } from '../../common/auth/access.decorators.js';
import { RawResponse } from '../../common/http/answer.decorators.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { PrometheusAnswerDto, PrometheusErrorDto } from './dto/prometheus.dto.js';

const TIME = 'Unix seconds, or a time of RFC 3339';
const DURATION = 'Seconds, or a duration such as `1m`';

/** Parameters of the calls, with the names of Prometheus. */
const PARAMETERS = {
  query: { description: 'A selector with `[range]`, `offset` and `@`, or arithmetic with constants', type: 'string' },
  time: { description: `${TIME}; now when it is left out`, type: 'string' },
  start: { description: TIME, type: 'string' },
  end: { description: TIME, type: 'string' },
  step: { description: `${DURATION}: between two values`, type: 'string' },
  timeout: { description: `${DURATION}; at most a minute`, type: 'string' },
  lookback_delta: { description: `${DURATION}: how long a value holds`, type: 'string' },
  limit: { description: 'Most items in the answer; 0 for no limit', type: 'integer' },
  metric: { description: 'Name without labels; all when it is left out', type: 'string' },
  limit_per_metric: { description: 'Most entries of a name', type: 'integer' },
  'match[]': { description: 'A selector; may be repeated', type: 'string' },
} as const;

type ParameterName = keyof typeof PARAMETERS;

export interface PrometheusRoute extends Required<Pick<ApiOperationOptions, 'summary' | 'description'>> {
  /** Parameters with a star are required. */
  parameters: readonly (ParameterName | `${ParameterName}*`)[];
  /** Omitted: JSON in the envelope of Prometheus. */
  text?: boolean;
}

const ERRORS = {
  400: 'bad_data: a parameter or the query cannot be read',
  401: 'unauthorized: no token, or an unknown or expired one',
  403: 'forbidden: the token lacks the permission `read`',
  422: 'execution: PromQL that is not supported, or more series or samples than one request may ask for',
  429: 'too_many_requests: a limit is reached; see Retry-After',
  503: 'timeout or unavailable; see Retry-After',
} as const;

/** A call of the Prometheus API, by GET and by POST with a form. It must be the topmost decorator of its handler. */
export function PrometheusRoute(
  path: string,
  { summary, description, parameters, text }: PrometheusRoute,
): MethodDecorator {
  const answer = text
    ? { content: { 'text/plain': { schema: { type: 'string' as const } } } }
    : { type: PrometheusAnswerDto };
  return applyDecorators(
    RequirePermissions(Permission.Read),
    TokenInHeader(),
    RawResponse(),
    ApiOperation({ summary, description }),
    ...parameters.map((marked) => ApiQuery(parameterOf(marked))),
    ApiResponse({ status: 200, description: 'The answer', ...answer }),
    ...Object.entries(ERRORS).map(([status, meaning]) =>
      ApiResponse({ status: Number(status), description: meaning, type: PrometheusErrorDto }),
    ),
    // Last: it copies the metadata of the others.
    Fetch(path),
  );
}

function parameterOf(marked: ParameterName | `${ParameterName}*`): ApiQueryOptions {
  const name = marked.replace('*', '') as ParameterName;
  const { description, type } = PARAMETERS[name];
  const isList = name === 'match[]';
  const schema = isList ? { type: 'array' as const, items: { type } } : { type };
  return { name, required: marked.endsWith('*'), description, schema, ...(isList && { style: 'form', explode: true }) };
}
