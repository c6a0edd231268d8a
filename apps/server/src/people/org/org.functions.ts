import { longDateTime } from '../../common/display/display.js';
import { type AlertMutingDto, type AnalysisVariablesDto, type OrgDto } from './org.dto.js';
import { type AnalysisVariables, type Org } from './org.types.js';

/** The Org record. `now` in Unix seconds. */
export function toOrgDto(org: Org, now: number): OrgDto {
  return {
    id: org.id,
    name: org.name,
    timezone: org.timezone,
    alert_muting: toAlertMutingDto(org, now),
    onboarding_status_id: org.onboardingStatusId,
    connected_services: {
      chat: org.chatApiTokenSealed !== null,
      teams_chat: org.teamsChatWebhookSealed !== null,
    },
  };
}

function toAlertMutingDto({ alertsMutedUntil, timezone }: Org, now: number): AlertMutingDto {
  const until = alertsMutedUntil === null ? 0 : Math.floor(alertsMutedUntil.getTime() / 1000);
  if (until <= now) {
    return {
      muted: false,
      muted_until_timestamp: null,
      muted_until_timestamp_string: null,
      minutes_remaining: null,
    };
  }
  return {
    muted: true,
    muted_until_timestamp: until,
    muted_until_timestamp_string: longDateTime(until, timezone),
    minutes_remaining: Math.ceil((until - now) / 60),
  };
}

export function toAnalysisVariablesDto(variables: AnalysisVariables): AnalysisVariablesDto {
  return {
    retention_1_resolution_seconds: variables.retention1ResolutionSeconds,
    retention_1_period_seconds: variables.retention1PeriodSeconds,
    retention_2_resolution_seconds: variables.retention2ResolutionSeconds,
    retention_2_period_seconds: variables.retention2PeriodSeconds,
    default_data_frequency_seconds: variables.defaultDataFrequencySeconds,
    default_analysis_period_1_seconds: variables.defaultAnalysisPeriod1Seconds,
    default_analysis_period_2_seconds: variables.defaultAnalysisPeriod2Seconds,
    long_term_pattern_length_seconds: variables.longTermPatternLengthSeconds,
    metric_limit: variables.metricLimit,
  };
}
