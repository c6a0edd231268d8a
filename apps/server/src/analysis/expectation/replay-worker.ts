import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { type ReplayRequest, type ReplayResult, Replays } from './replay.js';

/** Entry of the thread that replays series. */
const replays = new Replays();

serveWorker((request: ReplayRequest): Handled<ReplayResult> => {
  const response = replays.replay(request);
  return {
    response,
    transfer: Object.values(response).map(({ buffer }: Float64Array | Uint8Array) => buffer as ArrayBuffer),
  };
});
