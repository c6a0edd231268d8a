import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { type PreviewRequest, previewSeries, type PreviewResult } from './tuning-preview.js';

/** Entry of the thread that replays series for previews of tunings. */
serveWorker(
  (request: PreviewRequest): Handled<PreviewResult> => ({ response: previewSeries(request), transfer: [] }),
  'single',
);
