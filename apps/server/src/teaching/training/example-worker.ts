import { serveWorker } from '../../common/workers/worker-port.js';
import { handleShapes } from './shape-questions.js';

/** Entry of the thread that searches the past of shapes and simulates trainings. */
serveWorker(handleShapes, 'single');
