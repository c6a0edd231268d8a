import { Setting } from '../common/config/setting.decorator.js';

/** What one ingest request may be. How many there may be is in RateLimitConfig. */
export class IngestConfig {
  @Setting({
    env: 'PLUMBLINE_INGEST_MAX_BODY_BYTES',
    type: 'int',
    min: 1024,
    max: 268_435_456,
    unit: 'bytes',
    sentence: 'Largest ingest body as it is sent.',
  })
  maxBodyBytes = 4_194_304;

  @Setting({
    env: 'PLUMBLINE_INGEST_MAX_EXPANDED_BYTES',
    type: 'int',
    min: 1024,
    max: 1_073_741_824,
    unit: 'bytes',
    sentence: 'Largest ingest body after decompression.',
  })
  maxExpandedBytes = 33_554_432;

  @Setting({
    env: 'PLUMBLINE_INGEST_MAX_POINTS',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'points',
    sentence: 'Points in one ingest request.',
  })
  maxPoints = 50_000;

  @Setting({
    env: 'PLUMBLINE_INGEST_MAX_AGE_SECONDS',
    type: 'int',
    min: 60,
    max: 86_400,
    unit: 'seconds',
    sentence: 'Points older than this are refused unless they are sent as back-fill.',
  })
  maxAgeSeconds = 3600;

  @Setting({
    env: 'PLUMBLINE_INGEST_MAX_FUTURE_SECONDS',
    type: 'int',
    min: 0,
    max: 3600,
    unit: 'seconds',
    sentence: 'Points further in the future than this are refused.',
  })
  maxFutureSeconds = 60;
}
