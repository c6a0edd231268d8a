import { Setting } from '../../common/config/setting.decorator.js';
import { DAY } from '../../common/time.js';
import { type BodyLimits } from './ingest-body.js';

/** Limits of one ingest request, of all running ones, and of the rate of a token. */
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
    env: 'PLUMBLINE_INGEST_MAX_FILE_BYTES',
    type: 'int',
    min: 1024,
    max: 268_435_456,
    unit: 'bytes',
    sentence: 'Largest CSV file, as it is sent and after decompression.',
  })
  maxFileBytes = 20_971_520;

  @Setting({
    env: 'PLUMBLINE_INGEST_MAX_FILE_POINTS',
    type: 'int',
    min: 1,
    max: 5_000_000,
    unit: 'points',
    sentence: 'Points in one CSV file.',
  })
  maxFilePoints = 200_000;

  @Setting({
    env: 'PLUMBLINE_INGEST_MAX_AGE_SECONDS',
    type: 'int',
    min: 60,
    max: 86_400,
    unit: 'seconds',
    sentence: 'Points older than this are refused unless they are sent as backfill.',
  })
  maxAgeSeconds = DAY;

  @Setting({
    env: 'PLUMBLINE_INGEST_MAX_FUTURE_SECONDS',
    type: 'int',
    min: 0,
    max: 3600,
    unit: 'seconds',
    sentence: 'Points further in the future than this are refused.',
  })
  maxFutureSeconds = 60;

  @Setting({
    env: 'PLUMBLINE_INGEST_MEMORY_BYTES',
    type: 'int',
    min: 1_048_576,
    max: 17_179_869_184,
    unit: 'bytes',
    sentence:
      'Memory for all bodies that are being received and read at the same time; while it is used up, senders are answered 429.',
  })
  maxHeldBytes = 268_435_456;

  @Setting({
    env: 'PLUMBLINE_INGEST_NAMES_BYTES',
    type: 'int',
    min: 1_048_576,
    max: 17_179_869_184,
    unit: 'bytes',
    defaultText: 'a quarter of the heap of the process',
    sentence:
      'Memory for names as senders spell them. A series takes about 300 bytes. Names that no body has used for twenty minutes are forgotten; names beyond this memory are parsed again from every body, which `plumbline_ingest_name_misses_total` counts.',
  })
  maxNamesBytes: number | undefined;

  @Setting({
    env: 'PLUMBLINE_INGEST_BODY_IDLE_SECONDS',
    type: 'int',
    min: 1,
    max: 600,
    unit: 'seconds',
    sentence: 'Idle time in the middle of a body after which the connection of the sender is closed.',
  })
  bodyIdleSeconds = 10;

  @Setting({
    env: 'PLUMBLINE_INGEST_BODY_SECONDS',
    type: 'int',
    min: 1,
    max: 3600,
    unit: 'seconds',
    sentence: 'Longest time for receiving a body; after that, the connection of the sender is closed.',
  })
  bodySeconds = 120;

  @Setting({
    env: 'PLUMBLINE_INGEST_BACKLOG_POINTS',
    type: 'int',
    min: 1000,
    max: 10_000_000_000,
    unit: 'points',
    sentence:
      'Stored points that may wait for detection; while there are more, senders are answered 429. Bounds the disk space of the log and the time to catch up.',
  })
  maxBacklogPoints = 20_000_000;

  @Setting({
    env: 'PLUMBLINE_LIMIT_INGEST_REQUESTS',
    type: 'int',
    min: 1,
    max: 10_000_000,
    unit: 'per minute',
    sentence: 'Ingest requests of one token.',
  })
  ingestRequests = 6000;

  @Setting({
    env: 'PLUMBLINE_LIMIT_INGEST_STRANGERS',
    type: 'int',
    min: 1,
    max: 10_000_000,
    unit: 'per minute',
    sentence:
      'Ingest requests of one address without a token in a header, counted before the body is read; and as many of `/ping` and `/health`.',
  })
  ingestStrangers = 600;

  @Setting({
    env: 'PLUMBLINE_LIMIT_INGEST_POINTS',
    type: 'int',
    min: 1,
    max: 1_000_000_000,
    unit: 'per minute',
    sentence: 'Points that one token may send.',
  })
  ingestPoints = 2_000_000;

  @Setting({
    env: 'PLUMBLINE_LIMIT_ORG_INGEST_REQUESTS',
    type: 'int',
    min: 1,
    max: 100_000_000,
    unit: 'per minute and process',
    defaultText: '5 times `PLUMBLINE_LIMIT_INGEST_REQUESTS`',
    sentence: 'Ingest requests of all tokens of one organisation.',
  })
  orgIngestRequests: number | undefined;

  @Setting({
    env: 'PLUMBLINE_LIMIT_ORG_INGEST_POINTS',
    type: 'int',
    min: 1,
    max: 2_000_000_000,
    unit: 'per minute and process',
    defaultText: '5 times `PLUMBLINE_LIMIT_INGEST_POINTS`',
    sentence: 'Points that all tokens of one organisation may send.',
  })
  orgIngestPoints: number | undefined;

  /** @param kind the type of bodies on the path: from agents, or files */
  bodyLimits(kind: 'body' | 'file'): BodyLimits {
    const { maxFileBytes, maxFilePoints, maxBodyBytes, maxExpandedBytes, maxPoints } = this;
    return kind === 'file'
      ? { maxBodyBytes: maxFileBytes, maxExpandedBytes: maxFileBytes, maxPoints: maxFilePoints }
      : { maxBodyBytes, maxExpandedBytes, maxPoints };
  }
}
