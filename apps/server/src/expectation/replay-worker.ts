import { type SeriesVerdicts } from '#libs/detection';
import { type Handled, serveWorker } from '../common/workers/worker-port.js';
import { replay, type ReplayRequest } from './replay.js';

/** Entry of the thread that replays series. */
serveWorker((request: ReplayRequest): Handled<SeriesVerdicts> => {
  const response = replay(request);
  const { values, yhat, lower, upper, novelty, spike, score, alarm, anomalous, kind } = response;
  const buffers = [values, yhat, lower, upper, novelty, spike, score, alarm, anomalous, kind].map(
    (column) => column.buffer as ArrayBuffer,
  );
  return { response, transfer: [...new Set(buffers)] };
});
