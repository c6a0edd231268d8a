import { JetStreamUrlError, parseJetStreamUrl } from '#libs/point-log';
import { Setting, type SettingProblem } from '../../common/config/setting.decorator.js';

/** Where points wait and where they stay. */
export class StorageConfig {
  @Setting({
    env: 'POINT_LOG_URL',
    type: 'string',
    form: 'nats://host:4222[,nats://host2:4222…]?replicas=3&stream=plumbline',
    secret: true,
    defaultText: 'the database',
    sentence:
      'NATS servers with JetStream that keep accepted points until detection has read them, instead of the database (docs/guide/jetstream.md).',
  })
  pointLogUrl: string | undefined;

  @Setting({
    env: 'PLUMBLINE_PARTITIONS',
    type: 'int',
    min: 1,
    max: 256,
    sentence:
      'Partitions of the point log: the most threads that can share detection. Fixed once the first point arrived.',
  })
  partitions = 8;

  @Setting({
    env: 'PLUMBLINE_INGEST_QUEUE_POINTS',
    type: 'int',
    min: 1000,
    max: 100_000_000,
    unit: 'points',
    sentence: 'Points that may wait to be written to the log; while it is full, senders are answered 429.',
  })
  maxQueuedPoints = 1_000_000;

  @Setting({
    env: 'PLUMBLINE_COMMIT_DELAY_MS',
    type: 'int',
    min: 0,
    max: 1000,
    unit: 'milliseconds',
    sentence: 'Wait of the first request for others to share its commit.',
  })
  commitDelayMilliseconds = 2;

  @Setting({
    env: 'PLUMBLINE_STORAGE_CONNECTIONS',
    type: 'int',
    min: 1,
    max: 100,
    sentence: 'Database connections of the point log, and as many of the series store.',
  })
  connections = 4;

  problems(): readonly SettingProblem[] {
    try {
      if (this.pointLogUrl !== undefined) parseJetStreamUrl(this.pointLogUrl);
      return [];
    } catch (error) {
      if (!(error instanceof JetStreamUrlError)) throw error;
      return [{ env: 'POINT_LOG_URL', message: `the value ${error.message}` }];
    }
  }
}
