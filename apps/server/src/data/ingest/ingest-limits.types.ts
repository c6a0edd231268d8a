import { rateLimit } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';
import { IngestConfig } from './ingest.config.js';

/** Ingest requests of one token. Too many a second for a row in a database. */
export const INGEST_REQUESTS = rateLimit({
  name: 'ingestRequests',
  config: IngestConfig,
  points: (config) => config.ingestRequests,
  windowSeconds: MINUTE,
  inMemory: true,
});

/** Points of one token. Too many a second for a row in a database. */
export const INGEST_POINTS = rateLimit({
  name: 'ingestPoints',
  config: IngestConfig,
  points: (config) => config.ingestPoints,
  windowSeconds: MINUTE,
  inMemory: true,
});
