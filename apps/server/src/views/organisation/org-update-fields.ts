import { isMasked } from '../../common/secrets/secrets.js';
import { type OrgFields } from '../../people/org/org.types.js';
import { type UpdateOrgParams } from './dto/update-org.params.js';

/** The stored form of the sent parameters. @param now Unix seconds */
export function fieldsOf(params: Partial<UpdateOrgParams>, now: number): OrgFields {
  const { alerts_muted_minutes: minutes, chat_api_token: token } = params;
  return definedOf({
    name: params.name,
    timezone: params.timezone,
    alertsMutedUntil: minutes === undefined ? undefined : mutedUntil(minutes, now),
    chatApiToken: token != null && isMasked(token) ? undefined : token,
    defaultChatChannel: params.default_chat_channel,
    retention1ResolutionSeconds: params.retention_1_resolution_seconds,
    retention1PeriodSeconds: params.retention_1_period_seconds,
    retention2ResolutionSeconds: params.retention_2_resolution_seconds,
    retention2PeriodSeconds: params.retention_2_period_seconds,
    defaultDataFrequencySeconds: params.default_data_frequency_seconds,
    defaultAnalysisPeriod1Seconds: params.default_analysis_period_1_seconds,
    defaultAnalysisPeriod2Seconds: params.default_analysis_period_2_seconds,
    longTermPatternLengthSeconds: params.long_term_pattern_length_seconds,
    metricLimit: params.metric_limit,
  });
}

/** Whole seconds: the stored value equals the shown one. */
function mutedUntil(minutes: number, now: number): Date | null {
  return minutes === 0 ? null : new Date((Math.floor(now) + minutes * 60) * 1000);
}

function definedOf<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
