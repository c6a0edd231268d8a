import { Setting } from '../../common/config/setting.decorator.js';
import { DAY } from '../../common/time.js';
import { type AnalysisVariables } from './org.types.js';

const WEEK_SECONDS = 7 * DAY;
/** Minimum of the second analysis period. */
const MIN_ANALYSIS_PERIOD_2 = 2 * DAY;

/**
 * Retention of a new organisation; its administrators can change it later (PUT /org), within the limits of the
 * operator.
 */
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
      'How long a new organisation keeps roll-ups (`retention_2_period_seconds`); at least as long as every slot is kept.',
  })
  tier2Days = 730;

  @Setting({
    env: 'PLUMBLINE_MAX_TIER_1_DAYS',
    type: 'int',
    min: 1,
    max: 30,
    unit: 'days',
    sentence: 'Highest `retention_1_period_seconds` that an organisation may set for itself.',
  })
  maxTier1Days = 30;

  @Setting({
    env: 'PLUMBLINE_MAX_TIER_2_DAYS',
    type: 'int',
    min: 1,
    max: 1825,
    unit: 'days',
    sentence: 'Highest `retention_2_period_seconds` that an organisation may set for itself.',
  })
  maxTier2Days = 1825;

  @Setting({
    env: 'PLUMBLINE_MAX_METRIC_LIMIT',
    type: 'int',
    min: 1,
    max: 10_000_000,
    unit: 'metrics',
    defaultText: 'no highest value',
    sentence:
      'Highest `metric_limit` that an organisation may set for itself, and that of new organisations. Plans of a payment provider may give more.',
  })
  maxMetricLimit: number | undefined;

  get ofNewOrganisations(): Pick<
    AnalysisVariables,
    'retention1PeriodSeconds' | 'retention2PeriodSeconds' | 'defaultAnalysisPeriod2Seconds'
  > {
    const tier1 = Math.min(this.tier1Days, this.maxTier1Days, this.maxTier2Days) * DAY;
    return {
      retention1PeriodSeconds: tier1,
      retention2PeriodSeconds: Math.max(tier1, Math.min(this.tier2Days, this.maxTier2Days) * DAY),
      defaultAnalysisPeriod2Seconds: Math.max(MIN_ANALYSIS_PERIOD_2, Math.min(WEEK_SECONDS, tier1)),
    };
  }
}
