import { availableParallelism } from 'node:os';
import { JetStreamUrlError, parseJetStreamUrl } from '#libs/jetstream';
import { BUCKET_IN_URL } from '#libs/state-objects';
import { type ConfigHooks, Setting, type SettingProblem } from '../../common/config/setting.decorator.js';

/** Settings of the `detect` role. */
export class DetectionConfig implements ConfigHooks {
  @Setting({
    env: 'DETECTION_STATE_URL',
    type: 'string',
    form: 'nats://host:4222[,nats://host2:4222…]?replicas=3&bucket=plumbline-state',
    secret: true,
    defaultText: 'the database',
    sentence:
      'NATS servers with JetStream whose object store keeps what the detector has learnt, instead of the database (docs/guide/jetstream.md#learnt-state).',
  })
  stateUrl: string | undefined;

  @Setting({
    env: 'PLUMBLINE_DETECTION_THREADS',
    type: 'int',
    min: 1,
    max: 256,
    defaultText: 'number of cores less one',
    sentence: 'Threads that run the detector; partition p of the point log runs on thread p mod N.',
  })
  threads = Math.max(1, availableParallelism() - 1);

  @Setting({
    env: 'PLUMBLINE_CHECKPOINT_SECONDS',
    type: 'int',
    min: 1,
    max: 3600,
    unit: 'seconds',
    sentence:
      'Shortest time in which the whole state of the detector is saved once, page by page; a restart replays the points since then.',
  })
  checkpointSeconds = 30;

  @Setting({
    env: 'PLUMBLINE_CHECKPOINT_BYTES_PER_SECOND',
    type: 'int',
    min: 65_536,
    max: 1_000_000_000,
    unit: 'bytes per second',
    sentence: 'Write rate limit for saving that state; with more state a round takes longer.',
  })
  checkpointBytesPerSecond = 4_194_304;

  @Setting({
    env: 'PLUMBLINE_PROGRESS_SECONDS',
    type: 'int',
    min: 0,
    max: 600,
    unit: 'seconds',
    sentence:
      'How often last values and readiness of metrics are written; the first values of a metric are written within a second. With more than 50,000 metrics, last values are written in rotation, each within 5 minutes.',
  })
  progressSeconds = 10;

  @Setting({
    env: 'PLUMBLINE_DETECTION_BATCH_POINTS',
    type: 'int',
    min: 100,
    max: 1_000_000,
    unit: 'points',
    sentence: 'Points that one partition reads from the log at a time.',
  })
  batchPoints = 20_000;

  @Setting({
    env: 'PLUMBLINE_DETECTION_GATHER_MS',
    type: 'int',
    min: 0,
    max: 1000,
    unit: 'milliseconds',
    sentence: 'Wait after a small batch, so that many small appends become one larger piece of work.',
  })
  gatherMilliseconds = 500;

  @Setting({
    env: 'PLUMBLINE_DETECTION_STUCK_SECONDS',
    type: 'int',
    min: 5,
    max: 3600,
    unit: 'seconds',
    sentence: 'A batch that takes longer is reported in the log and makes the process unready.',
  })
  stuckSeconds = 60;

  @Setting({
    env: 'PLUMBLINE_DETECTION_MAX_LAG_SECONDS',
    type: 'int',
    min: 5,
    max: 86_400,
    unit: 'seconds',
    sentence: 'If detection is further behind the arrival of points than this, the process is not ready.',
  })
  maxLagSeconds = 300;

  @Setting({
    env: 'PLUMBLINE_TICK_GRACE_SECONDS',
    type: 'int',
    min: 0,
    max: 3600,
    unit: 'seconds',
    sentence: 'Time after a start in which silence is not reported: senders need time to reconnect.',
  })
  tickGraceSeconds = 180;

  problems(): SettingProblem[] {
    try {
      if (this.stateUrl !== undefined) parseJetStreamUrl(this.stateUrl, BUCKET_IN_URL);
      return [];
    } catch (error) {
      if (!(error instanceof JetStreamUrlError)) throw error;
      return [{ env: 'DETECTION_STATE_URL', message: `the value ${error.message}` }];
    }
  }
}
