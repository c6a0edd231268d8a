import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { tryExamples } from './examples.js';
import { type ExampleRequest, type ExampleResult } from './training.types.js';

/** Entry of the thread that tries what a training would do. */
serveWorker(
  (request: ExampleRequest): Handled<ExampleResult[]> => ({ response: tryExamples(request), transfer: [] }),
  'single',
);
