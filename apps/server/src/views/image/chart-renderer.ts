import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { DEFAULT_CHART_DISPLAY } from '#libs/charts';
import { WarmUp } from '../../common/telemetry/warm-up.js';
import { DAY, MINUTE } from '../../common/time.js';
import { createExecutor } from '../../common/workers/executor.js';
import { type ChartRequest, PICTURE_TYPES, type PictureFormat, renderChart } from './render-chart.js';

/** Draws charts away from the thread that answers requests, one after the other. */
@Injectable()
export class ChartRenderer implements BeforeApplicationShutdown {
  private readonly thread = createExecutor<ChartRequest, Uint8Array>({
    entry: new URL('./chart-worker.js', import.meta.url),
    name: 'charts',
    handler: () => ({ handle: renderChart }),
  });

  constructor(warmUp: WarmUp) {
    warmUp.register('charts', () => this.drawEachFormat());
  }

  render(request: ChartRequest): Promise<Uint8Array> {
    return this.thread.call(request);
  }

  /** Fonts, native code and each renderer are loaded by their first picture. */
  private async drawEachFormat(): Promise<void> {
    for (const format of Object.keys(PICTURE_TYPES) as PictureFormat[]) await this.render({ chart: aDay(), format });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}

/** A made-up chart with everything that a chart may show. */
function aDay(): ChartRequest['chart'] {
  const timestamps = Float64Array.from({ length: DAY / MINUTE }, (_, slot) => slot * MINUTE);
  const values = timestamps.map((time) => 100 + 20 * Math.sin((2 * Math.PI * time) / DAY));
  return {
    ...{
      title: 'warm-up',
      unit: 'points',
      timezone: 'UTC',
      from: 0,
      until: DAY,
      theme: 'light',
      width: 800,
      height: 300,
    },
    series: { name: 'value', timestamps, values },
    expected: {
      timestamps,
      lower: values.map((value) => value - 5),
      upper: values.map((value) => value + 5),
      yhat: values,
    },
    anomalies: [{ from: DAY / 2, until: DAY / 2 + 30 * MINUTE, kind: 'spike', label: 'spike' }],
    matches: [{ timestamp: DAY / 4, label: 'match' }],
    display: DEFAULT_CHART_DISPLAY,
  };
}
