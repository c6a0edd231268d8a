import { type OnboardingStatusId } from '#libs/contracts';
import { longDateTime } from '../../common/display/display.js';
import { type AlertMutingDto, type AnalysisVariablesDto, type OrgDto } from './org-record.types.js';

/** Lists of default recipients; the `admin_` ones get administrative alerts without named recipients. */
export const RECIPIENT_LISTS = ['email', 'admin_email', 'chat_mentions', 'sms', 'admin_sms'] as const;
export type RecipientList = (typeof RECIPIENT_LISTS)[number];

/** How long and how finely an organisation's data is kept and analysed. */
export interface AnalysisVariables {
  retention1ResolutionSeconds: number;
  retention1PeriodSeconds: number;
  retention2ResolutionSeconds: number;
  retention2PeriodSeconds: number;
  defaultDataFrequencySeconds: number;
  defaultAnalysisPeriod1Seconds: number;
  defaultAnalysisPeriod2Seconds: number;
  longTermPatternLengthSeconds: number;
  /** Null = no cap. */
  metricLimit: number | null;
}

export interface Org extends AnalysisVariables {
  id: number;
  name: string;
  /** IANA name. */
  timezone: string;
  onboardingStatusId: OnboardingStatusId;
  isDemo: boolean;
  createdAt: Date;
  alertsMutedUntil: Date | null;
  chatApiTokenSealed: string | null;
  defaultChatChannel: string;
  teamsChatWebhookSealed: string | null;
}

/** What reading the series of an organisation needs to know of it. Who has read it for a request passes it on. */
export type SeriesSettings = AnalysisVariables & Pick<Org, 'timezone'>;

/** What a new organisation may bring along; all else has defaults. */
export type NewOrg = Pick<Org, 'name'> & Partial<Pick<Org, 'timezone' | 'isDemo'> & AnalysisVariables>;

/** Settings that can be changed; what is left out stays. */
export interface OrgFields extends Partial<
  Pick<Org, 'name' | 'timezone' | 'alertsMutedUntil' | 'defaultChatChannel'> & AnalysisVariables
> {
  /** In clear; null disconnects chat. */
  chatApiToken?: string | null;
  /** In clear; null disconnects Teams. */
  teamsChatWebhook?: string | null;
}

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
