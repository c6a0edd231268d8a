import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { type ReplayAnswer, type ReplayWork, ReplayHost } from './replay-host.js';

/** Entry of the thread that replays series. */
const host = new ReplayHost();

serveWorker((work: ReplayWork): Handled<ReplayAnswer> => {
  const response = host.handle(work);
  const columns = Object.values(response).filter((member) => ArrayBuffer.isView(member));
  return { response, transfer: columns.map(({ buffer }) => buffer as ArrayBuffer) };
});
