import { Setting } from '../../common/config/setting.decorator.js';
import { DAY } from '../../common/time.js';
import { type AnalysisVariables } from './org.types.js';

const WEEK_SECONDS = 7 * DAY;
/** No analysis period of the second kind is shorter. */
const LEAST_ANALYSIS_PERIOD_2 = 2 * DAY;

/** How long a new organisation keeps its data; later its administrators decide (PUT /org). */
export class RetentionConfig {
  @Setting({
    env: 'PLUMBLINE_TIER_1_DAYS',
    type: 'int',
    min: 1,
    max: 30,
    unit: 'days',
    sentence: 'How long a new organisation keeps every slot (`retention_1_period_seconds`).',
  })
  tier1Days = 7;

  @Setting({
    env: 'PLUMBLINE_TIER_2_DAYS',
    type: 'int',
    min: 1,
    max: 1825,
    unit: 'days',
    sentence:
      'How long a new organisation keeps roll-ups (`retention_2_period_seconds`); not shorter than every slot is kept.',
  })
  tier2Days = 730;

  get ofNewOrganisations(): Pick<
    AnalysisVariables,
    'retention1PeriodSeconds' | 'retention2PeriodSeconds' | 'defaultAnalysisPeriod2Seconds'
  > {
    const tier1 = this.tier1Days * DAY;
    return {
      retention1PeriodSeconds: tier1,
      retention2PeriodSeconds: Math.max(tier1, this.tier2Days * DAY),
      defaultAnalysisPeriod2Seconds: Math.max(LEAST_ANALYSIS_PERIOD_2, Math.min(WEEK_SECONDS, tier1)),
    };
  }
}
