import { Setting } from '../../common/config/setting.decorator.js';

/** Settings of the comparison of candidates with patterns. */
export class MatchConfig {
  @Setting({
    env: 'PLUMBLINE_MATCH_DEADLINE_SECONDS',
    type: 'int',
    min: 1,
    max: 300,
    unit: 'seconds',
    sentence:
      'Longest wait for the check against trained patterns; an anomaly without a result by then opens as unconfirmed.',
  })
  deadlineSeconds = 5;
}
