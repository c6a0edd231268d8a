import { DEFAULT_ANALYSIS_VARIABLES } from '../../../../../test/support/analysis-variables.js';
import { toAnalysisVariablesDto, toOrgDto } from './org.functions.js';
import { type Org } from './org.types.js';

const NOW = 1_760_000_000;

function anOrg(overrides: Partial<Org> = {}): Org {
  return {
    id: 12,
    name: 'Example Ltd',
    timezone: 'Europe/Oslo',
    onboardingStatusId: 300,
    isDemo: false,
    createdAt: new Date(NOW * 1000),
    alertsMutedUntil: null,
    chatApiTokenSealed: null,
    defaultChatChannel: '',
    teamsChatWebhookSealed: null,
    ...DEFAULT_ANALYSIS_VARIABLES,
    ...overrides,
  };
}

describe('toOrgDto', () => {
  it('returns an organisation without a mute', () => {
    expect(toOrgDto(anOrg(), NOW)).toEqual({
      id: 12,
      name: 'Example Ltd',
      timezone: 'Europe/Oslo',
      alert_muting: {
        muted: false,
        muted_until_timestamp: null,
        muted_until_timestamp_string: null,
        minutes_remaining: null,
      },
      onboarding_status_id: 300,
      connected_services: { chat: false, teams_chat: false },
    });
  });

  it('returns the end of the mute in the time zone of the organisation, and its minutes rounded up', () => {
    const muted = anOrg({ alertsMutedUntil: new Date((NOW + 61) * 1000) });
    expect(toOrgDto(muted, NOW).alert_muting).toEqual({
      muted: true,
      muted_until_timestamp: NOW + 61,
      muted_until_timestamp_string: 'Thu 09 Oct 2025 @ 10:54 (CEST)',
      minutes_remaining: 2,
    });
  });

  it('ignores an expired mute', () => {
    const over = anOrg({ alertsMutedUntil: new Date(NOW * 1000) });
    expect(toOrgDto(over, NOW).alert_muting.muted).toBe(false);
  });

  it('names the connected chat services without their secrets', () => {
    const connected = anOrg({ chatApiTokenSealed: 'v1.secret', teamsChatWebhookSealed: 'v1.secret' });
    expect(toOrgDto(connected, NOW).connected_services).toEqual({ chat: true, teams_chat: true });
    expect(JSON.stringify(toOrgDto(connected, NOW))).not.toContain('secret');
  });
});

describe('toAnalysisVariablesDto', () => {
  it('returns the nine variables and no other member of the organisation', () => {
    expect(toAnalysisVariablesDto(anOrg({ metricLimit: 500 }))).toEqual({
      retention_1_resolution_seconds: 60,
      retention_1_period_seconds: 604_800,
      retention_2_resolution_seconds: 600,
      retention_2_period_seconds: 63_072_000,
      default_data_frequency_seconds: 60,
      default_analysis_period_1_seconds: 86_400,
      default_analysis_period_2_seconds: 604_800,
      long_term_pattern_length_seconds: 2_592_000,
      metric_limit: 500,
    });
  });
});
