import { METRIC_TYPES, type ErrorDetail, type MetricType } from '#libs/contracts';
import { PageParams } from '../../../common/paging/page.params.js';
import { Check } from '../../../common/validation/param-registry.js';
import { BoolParam, EnumParam, IntParam, RowIdParam, StrParam } from '../../../common/validation/param.decorators.js';
import { DAY } from '../../../common/time.js';
import { namesWindow } from '../reading/placeholders.js';
import { readAddress } from '../source-address.js';
import { SOURCE_TYPES, type SourceType } from '../source.types.js';
import { HeadersParam, type HeaderValues } from './headers-param.decorator.js';

const MAX_URL_LENGTH = 2000;
const MAX_QUERY_LENGTH = 4000;
const TEMPLATE = /^[^{}]*(?:\{[A-Za-z_][A-Za-z0-9_.-]*\}[^{}]*)*$/;

const NAME = { max: 100, description: 'For people; also the name of metrics of which the query gives none' };
const TYPE = {
  description:
    'promql: Prometheus, VictoriaMetrics, Thanos, Mimir; influxql: InfluxDB 1.x; sql: PostgreSQL, MySQL, MariaDB',
};
const URL_OPTIONS = {
  max: MAX_URL_LENGTH,
  description:
    'Base address, http(s):// or, for sql, postgres:// or mysql:// with the database and optionally sslmode. A login in it is taken ' +
    'out and kept as username and password',
};
const QUERY = {
  max: MAX_QUERY_LENGTH,
  multiline: true,
  description:
    'In the query language of the type; :from and :until of influxql and sql stand for the time range that is read',
};

export class ListSourcesParams extends PageParams {}

/** Optional members: each has a default, or keeps its value. */
class SourceFieldsParams {
  @StrParam({ min: 0, max: 200, description: 'For Basic authentication, or of the database' })
  username?: string;

  @StrParam({
    min: 0,
    max: 4000,
    bodyOnly: true,
    isSecret: true,
    description: 'Belongs to username. Is written, never read',
  })
  password?: string;

  @HeadersParam({
    bodyOnly: true,
    isSecret: true,
    description: 'Headers of every request by name, such as X-Scope-OrgID. Values are written, never read',
  })
  headers_set?: HeaderValues;

  @IntParam({ min: 10, max: DAY, description: 'Step of the series and time between two reads; default 60' })
  interval_seconds?: number;

  @IntParam({ min: 0, max: DAY, description: 'Points younger than this are not read yet; default 60' })
  lag_seconds?: number;

  @IntParam({ min: 0, max: 90 * DAY, description: 'How much of the past is read first; default 14 days' })
  backfill_seconds?: number;

  @StrParam({
    min: 0,
    max: 200,
    pattern: TEMPLATE,
    says: 'must be text with {name} or {label} in it',
    description: 'Name of the metrics: {name} stands for the name at the source, {key} for the value of a label',
  })
  name_template?: string;

  @EnumParam(METRIC_TYPES, { nullable: true, description: 'Null: by the name (promql), or found in the data' })
  metric_type?: MetricType | null;

  @StrParam({ max: 64, nullable: true, description: 'Of all values' })
  unit?: string | null;

  @IntParam({ min: 1, max: 120, description: 'Longest time for one answer; default 30' })
  timeout_seconds?: number;

  @IntParam({ min: 1, max: 100_000, description: 'A query with more series is refused as a whole; default 10000' })
  max_series?: number;

  @BoolParam({ description: 'Default true' })
  enabled?: boolean;

  @BoolParam({
    description:
      'Write the expected range and the score of its metrics to the store that it reads, by remote write at url/api/v1/write ' +
      '(promql only); default false',
  })
  write_back?: boolean;
}

/** Problems of a source that depend on its type. */
export function sourceProblems(source: {
  type?: SourceType | undefined;
  url?: string | undefined;
  query?: string | undefined;
  write_back?: boolean | undefined;
}): ErrorDetail[] {
  const { type, url, query, write_back: isWrittenBack } = source;
  const problems: ErrorDetail[] = [];
  if (type === undefined) return problems;
  const address = url === undefined ? null : readAddress(type, url);
  if (address !== null && 'problem' in address) {
    problems.push({ field: 'url', code: 'bad_format', message: `url ${address.problem}` });
  }
  if (type === 'influxql' && query !== undefined && !namesWindow(query)) {
    const message = 'query must contain :from and :until, as in WHERE time >= :from AND time < :until';
    problems.push({ field: 'query', code: 'bad_format', message });
  }
  if (isWrittenBack === true && type !== 'promql') {
    const message = 'write_back must be false: only sources of the type promql can be written back to';
    problems.push({ field: 'write_back', code: 'not_one_of', message });
  }
  return problems;
}

@Check<CreateSourceParams>((params) => sourceProblems(params))
export class CreateSourceParams extends SourceFieldsParams {
  @StrParam({ ...NAME, required: true })
  name!: string;

  @EnumParam(SOURCE_TYPES, { ...TYPE, required: true })
  type!: SourceType;

  @StrParam({ ...URL_OPTIONS, required: true, isSecret: true })
  url!: string;

  @StrParam({ ...QUERY, required: true })
  query!: string;
}

export class UpdateSourceParams extends SourceFieldsParams {
  @StrParam(NAME)
  name?: string;

  @EnumParam(SOURCE_TYPES, TYPE)
  type?: SourceType;

  @StrParam({ ...URL_OPTIONS, isSecret: true })
  url?: string;

  @StrParam(QUERY)
  query?: string;
}

/** Of a source that is stored, or as one would be. */
export class TestSourceParams extends UpdateSourceParams {
  @RowIdParam({
    description:
      'A source that is stored: what is left out is taken from it, its secrets as long as the url is the same',
  })
  source_id?: number;
}
