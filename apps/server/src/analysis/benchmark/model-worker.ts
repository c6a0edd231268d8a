import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { type ModelRequest, type ModelResult, runModel } from './run-model.js';

/** Entry of the thread that runs the models of benchmarks. */
serveWorker((request: ModelRequest): Handled<ModelResult> => {
  const response = runModel(request);
  return {
    response,
    transfer: Object.values(response.columns).map(({ buffer }: Float64Array) => buffer as ArrayBuffer),
  };
}, 'single');
