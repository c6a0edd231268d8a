import { serveWorker } from '../../common/workers/worker-port.js';
import { handleShapes } from './shape-questions.js';

/** Entry of the thread that looks into the past of shapes and tries what a training would do. */
serveWorker(handleShapes, 'single');
