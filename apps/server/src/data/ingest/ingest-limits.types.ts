import { rateLimit } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';
import { IngestConfig } from './ingest.config.js';

/** Ingest requests of one token. Too many per second for a row in a database. */
export const INGEST_REQUESTS = rateLimit({
  name: 'ingestRequests',
  config: IngestConfig,
  points: (config) => config.ingestRequests,
  windowSeconds: MINUTE,
  inMemory: true,
});

/** Ingest requests of one address whose token, if any, is inside the body. */
export const INGEST_STRANGERS = rateLimit({
  name: 'ingestStrangers',
  config: IngestConfig,
  points: (config) => config.ingestStrangers,
  windowSeconds: MINUTE,
  inMemory: true,
});

/** Readiness checks of one address, which need no token. */
export const INGEST_PROBES = rateLimit({
  name: 'ingestProbes',
  config: IngestConfig,
  points: (config) => config.ingestStrangers,
  windowSeconds: MINUTE,
  inMemory: true,
  byAddress: true,
  insteadOfGeneral: true,
});

/** Points of one token. Too many per second for a row in a database. */
export const INGEST_POINTS = rateLimit({
  name: 'ingestPoints',
  config: IngestConfig,
  points: (config) => config.ingestPoints,
  windowSeconds: MINUTE,
  inMemory: true,
});

/** Ingest requests of all tokens of one organisation. */
export const ORG_INGEST_REQUESTS = rateLimit({
  name: 'orgIngestRequests',
  config: IngestConfig,
  points: (config) => config.orgIngestRequests ?? 5 * config.ingestRequests,
  windowSeconds: MINUTE,
  inMemory: true,
});

/** Points of all tokens of one organisation. */
export const ORG_INGEST_POINTS = rateLimit({
  name: 'orgIngestPoints',
  config: IngestConfig,
  points: (config) => config.orgIngestPoints ?? 5 * config.ingestPoints,
  windowSeconds: MINUTE,
  inMemory: true,
});
