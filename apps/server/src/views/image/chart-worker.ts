import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { type ChartRequest } from './chart-request.js';
import { renderChart } from './render-chart.js';

/** Entry point of the thread that draws charts. */
serveWorker((request: ChartRequest): Handled<Uint8Array> => {
  // A separate copy: the drawn picture may share its buffer with native memory that cannot be transferred.
  const response = Uint8Array.from(renderChart(request));
  return { response, transfer: [response.buffer] };
});
