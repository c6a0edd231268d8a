import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { WarmUp } from '../../common/telemetry/warm-up.js';
import { DAY, MINUTE } from '../../common/time.js';
import { createExecutor } from '../../common/workers/executor.js';
import { type AccountRequest, type AccountResult, type ReplayRequest, type ReplayResult } from './replay.js';
import { type ReplayAnswer, ReplayHost, type ReplayWork } from './replay-host.js';

/** Replays series in a separate thread, sequentially. */
@Injectable()
export class ReplayExecutor implements BeforeApplicationShutdown {
  private readonly thread = createExecutor<ReplayWork, ReplayAnswer>({
    entry: new URL('./replay-worker.js', import.meta.url),
    name: 'replay',
    handler: () => {
      const host = new ReplayHost();
      return { handle: (work) => host.handle(work) };
    },
  });

  constructor(warmUp: WarmUp) {
    warmUp.register('expected ranges', () => this.replay(aWeek()));
  }

  replay(request: ReplayRequest): Promise<ReplayResult> {
    return this.thread.call(request) as Promise<ReplayResult>;
  }

  account(request: AccountRequest): Promise<AccountResult> {
    return this.thread.call(request) as Promise<AccountResult>;
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}

/** A generated series, long enough for the code to be compiled as for real ones. No metric has the id 0. */
function aWeek(): ReplayRequest {
  const rows = (7 * DAY) / MINUTE;
  const timestamps = Float64Array.from({ length: rows }, (_, row) => row * MINUTE);
  const values = timestamps.map(
    (time) => 100 + 20 * Math.sin((2 * Math.PI * time) / DAY) + (((time / MINUTE) * 7919) % 101),
  );
  return {
    metricId: 0,
    type: 'gauge',
    slotSeconds: MINUTE,
    timezone: 'UTC',
    terms: null,
    firstRow: rows - DAY / MINUTE,
    timestamps,
    values,
  };
}
