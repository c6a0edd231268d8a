import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { type AlertReplayAnswer, type AlertReplayRequest, replayAlerts } from './alert-replay.js';

/** Entry of the thread that replays the past for watchers. */
serveWorker(
  (request: AlertReplayRequest): Handled<AlertReplayAnswer> => ({
    response: replayAlerts(request),
    transfer: [],
  }),
  'single',
);
