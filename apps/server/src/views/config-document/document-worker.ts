import { type Handled, serveWorker } from '../../common/workers/worker-port.js';
import { type DocumentReading } from './config-document.types.js';
import { readDocument } from './read-document.js';

/** Entry point of the thread that reads configuration documents. */
serveWorker((text: string): Handled<DocumentReading> => ({ response: readDocument(text), transfer: [] }));
