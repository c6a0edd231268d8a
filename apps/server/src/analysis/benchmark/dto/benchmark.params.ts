import { WindowParams } from '../../../common/window/window.params.js';
import { Check, exactlyOne } from '../../../common/validation/param-registry.js';
import { BoolParam, EmailParam, IntParam, ListParam, StrParam } from '../../../common/validation/param.decorators.js';
import { MetricParam } from '../../../data/metric-ref/metric-ref.decorators.js';
import { type MetricRef } from '../../../data/metric-ref/metric-ref.js';
import { BenchmarkModelParam, MODEL_KIND } from '../benchmark-model.decorator.js';
import { type BenchmarkModelId, DEFAULT_MODEL_IDS } from '../benchmark-models.types.js';
import { type BenchmarkLabel, type BenchmarkSeries } from '../benchmark.types.js';
import { FileParam, LabelsParam, TimeseriesParam } from './series.params.js';

const MAX_MODELS = 5;

@Check<StartBenchmarkParams>(exactlyOne('timeseries', 'data_file', 'metric'))
export class StartBenchmarkParams extends WindowParams {
  @TimeseriesParam({ description: '100 to 200,000 points, [timestamp, value]; or data_file, or metric' })
  timeseries?: BenchmarkSeries;

  @FileParam({ description: 'CSV with one series, in a multipart form' })
  data_file?: Uint8Array;

  @MetricParam({ description: 'A metric of the organisation, in the window from..until; needs the permission read' })
  metric?: MetricRef;

  @ListParam(MODEL_KIND, { minItems: 1, maxItems: MAX_MODELS, default: DEFAULT_MODEL_IDS })
  models!: readonly BenchmarkModelId[];

  @LabelsParam({ default: [], description: 'Known anomalies, [from, until]; the models are scored against them' })
  labels!: BenchmarkLabel[];

  @StrParam({ min: 0, max: 100, default: '' })
  name!: string;

  @BoolParam({ default: false, description: 'The values only grow, and are analysed as rates' })
  counter!: boolean;

  @IntParam({
    min: 1,
    max: 86_400,
    description: 'Length in seconds of the slots in which points are combined; default: points stay as they are',
  })
  resolution_seconds?: number;

  @EmailParam({ description: 'Address that is mailed when the benchmark is done' })
  email?: string;
}

export class BenchmarkKeyParams {
  @StrParam({ max: 100, required: true, isSecret: true, description: 'As returned by POST /benchmark/start' })
  benchmark_id!: string;
}

export class BenchmarkMailParams extends BenchmarkKeyParams {
  @EmailParam({ required: true })
  email!: string;
}

export class ChartDataParams extends BenchmarkKeyParams {
  @BenchmarkModelParam({ description: 'Default all' })
  model?: BenchmarkModelId;

  @IntParam({ min: 100, max: 20_000, default: 5000 })
  max_points!: number;
}
