import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { movableBuffers, ShardHost, type ShardRequest, type ShardResponse } from './shard-host.js';

/** Entry of a detection thread. */
const host = new ShardHost();

serveWorker((request: ShardRequest): Handled<ShardResponse> => {
  const response = host.handle(request);
  return { response, transfer: movableBuffers(response) };
});
