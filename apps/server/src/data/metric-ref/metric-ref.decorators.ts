import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { NotFoundError } from '../../common/errors/app-error.js';
import { documentPath } from '../../common/validation/id-param.decorator.js';
import { type ParamKind, type ParamOptions, ParamProblem } from '../../common/validation/param-kind.js';
import { shownName } from '../../common/validation/param-message.js';
import { Param } from '../../common/validation/param.decorators.js';
import { type MetricRef, parseMetricRef } from './metric-ref.js';

const PathMetricRef = createParamDecorator((name: string, context: ExecutionContext): MetricRef => {
  const text = context.switchToHttp().getRequest<Request>().params[name];
  const ref = typeof text === 'string' ? parseMetricRef(text) : undefined;
  if (ref === undefined) throw new NotFoundError(`There is no metric ${shownName(text)}.`);
  return ref;
});

const DESCRIPTION = 'Metric: its name, percent-encoded as one segment, or `id:` and its number';

/** A metric in the path. */
export function MetricRefParam(name: string): ParameterDecorator {
  return (target, key, index) => {
    PathMetricRef(name)(target, key, index);
    documentPath(target, key, { name, description: DESCRIPTION, schema: { type: 'string' } });
  };
}

const METRIC_REF: ParamKind<MetricRef> = {
  schema: () => ({ type: 'string', minLength: 1, example: 'id:123' }),
  convert: (raw) => {
    const ref = typeof raw === 'string' ? parseMetricRef(raw) : undefined;
    return ref ?? ParamProblem.of('bad_format', 'must be the name of a metric, or id: and its number');
  },
};

/** A metric among the parameters; the field holds a `MetricRef`. */
export const MetricParam = (options: ParamOptions<MetricRef> = {}): PropertyDecorator =>
  Param(METRIC_REF, { description: 'Name of a metric, or `id:` and its number', ...options });
