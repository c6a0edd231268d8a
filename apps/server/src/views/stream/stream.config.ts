import { Setting } from '../../common/config/setting.decorator.js';

/** Limits of the number of listeners of the event stream. */
export class StreamConfig {
  @Setting({
    env: 'PLUMBLINE_LIMIT_STREAMS',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'at the same time',
    sentence: 'Event streams of one user or token.',
  })
  perParty = 5;

  @Setting({
    env: 'PLUMBLINE_LIMIT_STREAMS_ORG',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'at the same time',
    sentence: 'Event streams of one organisation.',
  })
  perOrg = 50;

  @Setting({
    env: 'PLUMBLINE_STREAM_TIMEOUT_SECONDS',
    type: 'int',
    min: 1,
    max: 600,
    unit: 'seconds',
    sentence: 'A listener that accepts nothing for this time is disconnected.',
  })
  timeoutSeconds = 15;
}
