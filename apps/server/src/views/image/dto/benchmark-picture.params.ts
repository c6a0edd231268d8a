import { BenchmarkModelParam } from '../../../analysis/benchmark/benchmark-model.decorator.js';
import { type BenchmarkModelId } from '../../../analysis/benchmark/benchmark-models.types.js';
import { EnumParam, StrParam } from '../../../common/validation/param.decorators.js';
import { type GraphTheme, HeightParam, IMAGE_FORMATS, ThemeParam, WidthParam } from './graph.params.js';

export class BenchmarkPictureParams {
  @StrParam({ max: 100, required: true, description: 'As returned by POST /benchmark/start' })
  benchmark_id!: string;

  @BenchmarkModelParam({ description: 'Default the first one that has finished' })
  model?: BenchmarkModelId;

  @WidthParam(1000)
  width!: number;

  @HeightParam(320)
  height!: number;

  @ThemeParam()
  theme!: GraphTheme;

  @EnumParam(IMAGE_FORMATS, { default: 'svg' })
  format!: (typeof IMAGE_FORMATS)[number];
}
