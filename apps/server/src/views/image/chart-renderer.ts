import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { createExecutor } from '../../common/workers/executor.js';
import { type ChartRequest, renderChart } from './render-chart.js';

/** Draws charts away from the thread that answers requests, one after the other. */
@Injectable()
export class ChartRenderer implements BeforeApplicationShutdown {
  private readonly thread = createExecutor<ChartRequest, Uint8Array>({
    entry: new URL('./chart-worker.js', import.meta.url),
    name: 'charts',
    handler: () => ({ handle: renderChart }),
  });

  render(request: ChartRequest): Promise<Uint8Array> {
    return this.thread.call(request);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}
