import { isArrayBuffer } from 'node:util/types';
import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { answerDetection, type DetectResult, type DetectWork } from './detect-answer.js';

/** Entry point of the thread that judges the series of requests. */
serveWorker((work: DetectWork): Handled<DetectResult> => {
  const response = answerDetection(work);
  const memory = 'body' in response ? response.body.buffer : undefined;
  return { response, transfer: isArrayBuffer(memory) ? [memory] : [] };
}, 'single');
