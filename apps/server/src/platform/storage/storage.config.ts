import { JetStreamUrlError, MAX_JETSTREAM_PARTITIONS, parseJetStreamUrl } from '#libs/point-log';
import { addressProblem, type VictoriaMetricsAddress } from '#libs/series';
import { type ConfigHooks, Setting, type SettingProblem } from '../../common/config/setting.decorator.js';

/** Settings of the point log and the series store. */
export class StorageConfig implements ConfigHooks {
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
    max: 1024,
    sentence:
      'Partitions of the point log: the most threads that can share detection; with POINT_LOG_URL at most 256. Fixed at the first start.',
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

  @Setting({
    env: 'SERIES_STORE_URL',
    type: 'url',
    secret: true,
    defaultText: 'points stay in the database',
    sentence:
      'A VictoriaMetrics that keeps the points instead of the database (`http://victoria-metrics:8428`); of a cluster the side that writes (`http://vminsert:8480/insert/0/prometheus`), with `{org}` in place of the tenant for one of each organisation.',
  })
  seriesStoreUrl: string | undefined;

  @Setting({
    env: 'SERIES_STORE_READ_URL',
    type: 'url',
    secret: true,
    sentence:
      'The side of a VictoriaMetrics cluster that reads (`http://vmselect:8481/select/0/prometheus`); not for a single server.',
  })
  seriesStoreReadUrl: string | undefined;

  @Setting({
    env: 'SERIES_STORE_DELAY_SECONDS',
    type: 'int',
    min: 0,
    max: 3600,
    unit: 'seconds',
    sentence:
      'How long points wait in the database before they move to VictoriaMetrics, so that a slot is complete by then; shorter shows them to MetricsQL sooner, longer writes fewer samples.',
  })
  seriesStoreDelaySeconds = 60;

  @Setting({
    env: 'SERIES_STORE_WAITING_POINTS',
    type: 'int',
    min: 1000,
    max: 100_000_000_000,
    unit: 'points',
    sentence:
      'Points that may wait in the database for VictoriaMetrics; while there are more, they wait in the point log, and senders are answered 429 once PLUMBLINE_INGEST_BACKLOG_POINTS are there.',
  })
  seriesStoreWaitingPoints = 200_000_000;

  /** Null: points stay in the database. */
  get seriesStoreAddress(): VictoriaMetricsAddress | null {
    const { seriesStoreUrl, seriesStoreReadUrl } = this;
    if (seriesStoreUrl === undefined) return null;
    return {
      writeUrl: seriesStoreUrl,
      ...(seriesStoreReadUrl === undefined ? {} : { readUrl: seriesStoreReadUrl }),
    };
  }

  problems(): SettingProblem[] {
    return [...this.pointLogProblems(), ...this.seriesStoreProblems()];
  }

  private pointLogProblems(): SettingProblem[] {
    if (this.pointLogUrl === undefined) return [];
    try {
      parseJetStreamUrl(this.pointLogUrl);
      if (this.partitions <= MAX_JETSTREAM_PARTITIONS) return [];
      const message =
        `must be at most ${String(MAX_JETSTREAM_PARTITIONS)} with POINT_LOG_URL, got ${String(this.partitions)}: in JetStream ` +
        'each partition is a stream. A log of more partitions stays in the database: leave POINT_LOG_URL out';
      return [{ env: 'PLUMBLINE_PARTITIONS', message }];
    } catch (error) {
      if (!(error instanceof JetStreamUrlError)) throw error;
      return [{ env: 'POINT_LOG_URL', message: `the value ${error.message}` }];
    }
  }

  private seriesStoreProblems(): SettingProblem[] {
    const address = this.seriesStoreAddress;
    if (address === null) {
      return this.seriesStoreReadUrl === undefined
        ? []
        : [{ env: 'SERIES_STORE_READ_URL', message: 'needs SERIES_STORE_URL, the address that is written to' }];
    }
    const problem = addressProblem(address);
    return problem === null ? [] : [{ env: 'SERIES_STORE_URL', message: problem }];
  }
}
