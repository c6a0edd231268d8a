import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DEFAULT_CHART_DISPLAY } from '#libs/charts/model';
import { type FairQueue } from '../../common/fair-share/fair-queue.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { currentRequest } from '../../common/http/request-context.js';
import { WarmUp } from '../../common/telemetry/warm-up.js';
import { DAY, MINUTE } from '../../common/time.js';
import { createExecutor, type Executor } from '../../common/workers/executor.js';
import { type ChartRequest, type OneChart, PICTURE_TYPES, type PictureFormat } from './chart-request.js';
import { ImageConfig } from './image.config.js';

/** Maximum number of pictures that wait to be drawn: of all organisations, and of one. */
const WAITING = 200;
const WAITING_PER_ORG = 30;
/** Bytes of cached pictures: many people view the same one, repeatedly. */
const KEPT_BYTES = 32 * 1024 * 1024;

const THREAD = {
  entry: new URL('./chart-worker.js', import.meta.url),
  name: 'charts',
  handler: () => ({
    // The drawing code is loaded only in threads that draw.
    handle: async (request: ChartRequest) => (await import('./render-chart.js')).renderChart(request),
  }),
};

/** Draws charts outside the main thread, on a few threads, in rotation between organisations. */
@Injectable()
export class ChartRenderer implements OnApplicationShutdown {
  private readonly threads: readonly Executor<ChartRequest, Uint8Array>[];
  /** Idle threads; there is one for each turn. */
  private readonly free: Executor<ChartRequest, Uint8Array>[];
  private readonly turns: FairQueue;
  private readonly kept = new LRUCache<string, Uint8Array>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ byteLength }) => 1 + byteLength,
  });

  constructor(warmUp: WarmUp, turns: FairQueueRegistry, { chartThreads }: ImageConfig) {
    this.threads = Array.from({ length: chartThreads }, () => createExecutor(THREAD));
    this.free = [...this.threads];
    this.turns = turns.open('pictures', { slots: chartThreads, waiting: WAITING, waitingPerParty: WAITING_PER_ORG });
    warmUp.register('charts', () => this.drawEachFormat());
  }

  /**
   * @param orgId organisation of the picture; 0: the process itself
   * @param gone aborted when the picture is no longer needed: skipped if it still waits; default: the signal of the
   *   request
   * @throws OverloadedError if too many pictures wait; ClientGoneError
   */
  async render(request: ChartRequest, orgId: number, gone = currentRequest.getStore()?.gone): Promise<Uint8Array> {
    // The request contains everything that is drawn: equal requests give the same picture.
    const key = createHash('sha256').update(serialize(request)).digest('base64');
    const known = this.kept.get(key);
    if (known) return known;
    const picture = await this.turns.run(`org:${String(orgId)}`, () => this.draw(request), gone);
    this.kept.set(key, picture);
    return picture;
  }

  /** Not earlier: the last requests, which are answered while the process stops, need the threads. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  private async draw(request: ChartRequest): Promise<Uint8Array> {
    const thread = this.free.pop()!;
    try {
      return await thread.call(request);
    } finally {
      this.free.push(thread);
    }
  }

  /** The first picture loads fonts, native code and the renderers. */
  private async drawEachFormat(): Promise<void> {
    for (const format of Object.keys(PICTURE_TYPES) as PictureFormat[]) await this.render({ chart: aDay(), format }, 0);
    // The pictures above have warmed up the last thread.
    const others = this.threads.slice(0, -1);
    await Promise.all(others.map((thread) => thread.call({ chart: aDay(), format: 'png' })));
  }
}

/** A generated chart with everything that a chart may show. */
export function aDay(): OneChart['chart'] {
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
