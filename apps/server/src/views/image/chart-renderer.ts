import { existsSync } from 'node:fs';
import { type BeforeApplicationShutdown } from '@nestjs/common';
import { WorkerChannel } from '../../common/workers/worker-channel.js';
import { type ChartRequest, renderChart } from './render-chart.js';

/** Draws charts away from the thread that answers requests, one after the other. */
export abstract class ChartRenderer implements BeforeApplicationShutdown {
  abstract render(request: ChartRequest): Promise<Uint8Array>;
  abstract beforeApplicationShutdown(): Promise<void>;
}

const WORKER_ENTRY = new URL('./chart-worker.js', import.meta.url);

/** A thread when the worker is compiled, else (TypeScript run from source) the calling thread. */
export function createChartRenderer(): ChartRenderer {
  return existsSync(WORKER_ENTRY) ? new ThreadedChartRenderer() : new InlineChartRenderer();
}

class ThreadedChartRenderer extends ChartRenderer {
  private readonly channel = new WorkerChannel<ChartRequest, Uint8Array>(WORKER_ENTRY, 'charts');

  render(request: ChartRequest): Promise<Uint8Array> {
    return this.channel.call(request);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.channel.close();
  }
}

class InlineChartRenderer extends ChartRenderer {
  async render(request: ChartRequest): Promise<Uint8Array> {
    return renderChart(request);
  }

  async beforeApplicationShutdown(): Promise<void> {
    // Nothing runs between calls.
  }
}
