import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { createExecutor } from '../../common/workers/executor.js';
import { tryExamples } from './examples.js';
import { type ExampleRequest, type ExampleResult } from './training.types.js';

/** Tries what a training would do, away from the thread that answers requests. */
@Injectable()
export class ExampleExecutor implements BeforeApplicationShutdown {
  private readonly thread = createExecutor<ExampleRequest, ExampleResult[]>({
    entry: new URL('./example-worker.js', import.meta.url),
    name: 'examples',
    handler: () => ({ handle: (request) => tryExamples(request) }),
  });

  run(request: ExampleRequest): Promise<ExampleResult[]> {
    return this.thread.call(request);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}
