import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { readSeries, type SentSeries, type SeriesAnswer } from './read-series.js';

/** Entry of the thread that reads the series of benchmarks. */
serveWorker((sent: SentSeries): Handled<SeriesAnswer> => {
  const response = readSeries(sent);
  const columns = 'series' in response ? Object.values<Float64Array>({ ...response.series }) : [];
  return { response, transfer: columns.map(({ buffer }) => buffer as ArrayBuffer) };
}, 'single');
