import { type ParamKind, type ParamOptions, ParamProblem } from '../../common/validation/param-kind.js';
import { Param } from '../../common/validation/param.decorators.js';
import { BENCHMARK_MODEL_IDS, type BenchmarkModelId } from './benchmark-models.types.js';

export const MODEL_KIND: ParamKind<BenchmarkModelId> = {
  schema: () => ({ type: 'string', enum: [...BENCHMARK_MODEL_IDS] }),
  convert: (raw) =>
    BENCHMARK_MODEL_IDS.find((id) => id === raw) ??
    ParamProblem.of('unknown_model', `must be one of ${BENCHMARK_MODEL_IDS.join(', ')}`),
};

/** A model of the benchmark among the parameters. */
export const BenchmarkModelParam = (options: ParamOptions<BenchmarkModelId> = {}): PropertyDecorator =>
  Param(MODEL_KIND, options);
