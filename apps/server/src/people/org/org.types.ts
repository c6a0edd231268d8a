import { type OnboardingStatusId } from '#libs/contracts';
import { type TextBounds } from '../../common/validation/param.decorators.js';

/** Bot token of the chat, which is sent in a header. */
export const CHAT_TOKEN_BOUNDS: TextBounds = { max: 255, pattern: /^[!-~]+$/, says: 'must be a token without spaces' };

/** Empty: none. */
export const CHAT_CHANNEL_BOUNDS: TextBounds = { min: 0, max: 100 };

/** Lists of default recipients; the `admin_` ones get administrative alerts without named recipients. */
export const RECIPIENT_LISTS = ['email', 'admin_email', 'chat_mentions', 'sms', 'admin_sms'] as const;
export type RecipientList = (typeof RECIPIENT_LISTS)[number];

/** Retention and resolution of an organisation's data, and its analysis periods. */
export interface AnalysisVariables {
  retention1ResolutionSeconds: number;
  retention1PeriodSeconds: number;
  retention2ResolutionSeconds: number;
  retention2PeriodSeconds: number;
  defaultDataFrequencySeconds: number;
  defaultAnalysisPeriod1Seconds: number;
  defaultAnalysisPeriod2Seconds: number;
  longTermPatternLengthSeconds: number;
  /** Null = no limit. */
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

/**
 * The settings of an organisation that are needed to read its series. Code that has read them for a request passes them
 * on.
 */
export type SeriesSettings = AnalysisVariables & Pick<Org, 'timezone'>;

/** Initial values of a new organisation; all others have defaults. */
export type NewOrg = Pick<Org, 'name'> & Partial<Pick<Org, 'timezone' | 'isDemo'> & AnalysisVariables>;

/** Settings that can be changed; omitted ones keep their values. */
export interface OrgFields extends Partial<
  Pick<Org, 'name' | 'timezone' | 'alertsMutedUntil' | 'defaultChatChannel'> & AnalysisVariables
> {
  /** In clear; null disconnects chat. */
  chatApiToken?: string | null;
  /** In clear; null disconnects Teams. */
  teamsChatWebhook?: string | null;
}
