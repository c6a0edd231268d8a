import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { Comparer, type CompareRequest, type CompareResponse } from './compare.js';

/** Entry of the thread that compares candidates with patterns. */
const comparer = new Comparer();

serveWorker((request: CompareRequest): Handled<CompareResponse> => ({
  response: comparer.compare(request),
  transfer: [],
}));
