import { Injectable, StreamableFile } from '@nestjs/common';
import { type ChartSeries, DEFAULT_CHART_DISPLAY } from '#libs/charts/model';
import { BenchmarkService } from '../../analysis/benchmark/benchmark.service.js';
import { ChartRenderer } from './chart-renderer.js';
import { type BenchmarkPictureParams } from './dto/benchmark-picture.params.js';
import { toChartAnomalies } from './metric-chart.js';
import { refuseLargePicture } from './picture-area.js';
import { PICTURE_TYPES } from './chart-request.js';

/** Maximum number of points of the line: a screen shows hardly more. */
const MAX_POINTS = 4000;
/** Callers without organisation share one turn. */
const NO_ORG = 0;

/** Draws the results of a model of a benchmark. */
@Injectable()
export class BenchmarkPictureService {
  constructor(
    private readonly benchmarks: BenchmarkService,
    private readonly renderer: ChartRenderer,
  ) {}

  /** @throws what `BenchmarkService.getChartData` throws; OverloadedError */
  async draw(params: BenchmarkPictureParams): Promise<StreamableFile> {
    const { benchmark_id, width, height, theme, format } = params;
    refuseLargePicture(params, format);
    const first = params.model ?? (await this.benchmarks.getStatus(benchmark_id)).benchmark.models.find(hasResult)?.id;
    const data = await this.benchmarks.getChartData({ benchmark_id, model: first, max_points: MAX_POINTS });
    const [model] = data.models;
    const timestamps = data.timeseries.map(([timestamp]) => timestamp);
    const values = data.timeseries.map(([, value]) => value ?? NaN);
    const range = model!.expected_range;
    const picture = await this.renderer.render(
      {
        chart: {
          title: data.name === '' ? model!.id : `${data.name}: ${model!.id}`,
          unit: '',
          timezone: 'UTC',
          from: timestamps[0]!,
          until: timestamps.at(-1)!,
          series: { name: 'value', timestamps, values },
          others: data.labels.length === 0 ? [] : [labelLine(data.labels, values)],
          expected: range.length === 0 ? undefined : rangeOf(range),
          anomalies: toChartAnomalies(
            model!.anomalies.map(({ from, until, kind }) => ({ timestamp: from, out_until_timestamp: until, kind })),
            null,
            { zone: 'UTC', now: timestamps.at(-1)! },
          ),
          matches: [],
          display: DEFAULT_CHART_DISPLAY,
          theme,
          width,
          height,
        },
        format,
      },
      NO_ORG,
    );
    return new StreamableFile(picture, { type: PICTURE_TYPES[format], length: picture.length });
  }
}

/** A line at the bottom of the chart for the duration of each label. */
function labelLine(labels: readonly (readonly [number, number])[], values: readonly number[]): ChartSeries {
  const lowest = values.reduce((least, value) => (value < least ? value : least), Infinity);
  return {
    name: 'label',
    tone: 'match',
    timestamps: labels.flatMap(([from, until]) => [from, until, until + 1]),
    values: labels.flatMap(() => [lowest, lowest, NaN]),
  };
}

const hasResult = ({ status }: { status: string }): boolean => status === 'finished';

function rangeOf(range: readonly [number, number, number][]) {
  return {
    timestamps: range.map(([timestamp]) => timestamp),
    lower: range.map(([, lower]) => lower),
    upper: range.map(([, , upper]) => upper),
    yhat: range.map(([, lower, upper]) => (lower + upper) / 2),
  };
}
