import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { type ThresholdRule, type WatcherRule } from '#libs/alerting';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { dateTime } from '../../common/display/display.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { DAY, HOUR } from '../../common/time.js';
import { resolveWindow, type Window } from '../../common/window/window.js';
import { parseChip } from '../../data/chips/chips.js';
import { OrgService } from '../../people/org/org.service.js';
import { type Org } from '../../people/org/org.types.js';
import { WatcherNotFoundError } from '../watcher/watcher.errors.js';
import {
  EXPIRATION_UNIT_SECONDS,
  LONGEST_EXPIRATION,
  SHORTEST_EXPIRATION,
  type Watcher,
} from '../watcher/watcher.types.js';
import { WatcherDirectoryService } from '../watcher/watcher-directory.service.js';
import { type AlertOfReplay } from './alert-replay.js';
import {
  type PreviewedAlertDto,
  type PreviewedBudgetDto,
  type PreviewedDayDto,
  type WatcherPreviewDto,
} from './dto/watcher-preview.dto.js';
import { type PreviewWatcherParams } from './dto/watcher-preview.params.js';
import { PastAnomaliesRepository, type PastEvent } from './past-anomalies.repository.js';
import { PastBreachesService } from './past-breaches.service.js';
import { MAX_REPLAYED, WatcherPastService } from './watcher-past.service.js';

const DEFAULT_SECONDS = 7 * DAY;
const LONGEST_SECONDS = 30 * DAY;
const MAX_SHOWN = 500;

/** The messages that a watcher would have sent: the live rules applied to stored data. */
@Injectable()
export class WatcherPreviewService {
  constructor(
    private readonly watchers: WatcherDirectoryService,
    private readonly past: WatcherPastService,
    private readonly breaches: PastBreachesService,
    private readonly anomalies: PastAnomaliesRepository,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {}

  /** @throws WatcherNotFoundError; ValidationFailedError the window is too long; OverloadedError, ClientGoneError */
  async preview(caller: KnownCaller, params: PreviewWatcherParams): Promise<WatcherPreviewDto> {
    const org = await this.orgs.getById(caller.org.id);
    const window = this.windowOf(params);
    const watcher = params.watcher_id === undefined ? null : await this.watchers.find(org.id, params.watcher_id);
    if (params.watcher_id !== undefined && watcher === null) throw new WatcherNotFoundError(params.watcher_id);
    const wanted = ruleOf(org.id, watcher, params);
    const now = this.clock.now();
    const budget = await this.budgetOf(org, wanted, watcher, now);
    const rule = { ...wanted, severityInEffect: budget?.severity_in_effect ?? 0 };
    const count = await this.anomalies.countMetrics(org.id, rule.chips.map(parseChip));
    const { found, isWhole } = await this.found(org, rule, window);
    const within = found.filter(({ start, isQuiet }) => start >= window.from && !isQuiet);
    const all = await this.past.replay(org, rule, found, window.until);
    const alerts = all.filter(({ at }) => at >= window.from);
    return {
      metrics_count: count,
      anomalies_count: within.length,
      ...countsOf(alerts),
      truncated: !isWhole || alerts.length > MAX_SHOWN,
      per_day: daysOf(alerts, window, org.timezone),
      alerts: this.shown(org, alerts, found),
      budget,
      ...window,
    };
  }

  private async found(org: Org, rule: WatcherRule, window: Window): Promise<{ found: PastEvent[]; isWhole: boolean }> {
    if (rule.threshold !== null) {
      const { breaches, isWhole } = await this.breaches.find(org, rule, window);
      return { found: breaches, isWhole };
    }
    const found = await this.past.anomalies(org, rule, window.from, window.until);
    return { found, isWhole: found.length < MAX_REPLAYED };
  }

  /** The severity that the budget requires: the current one of a stored watcher, else the one by the last 30 days. */
  private async budgetOf(
    org: Org,
    rule: WatcherRule,
    watcher: Watcher | null,
    now: number,
  ): Promise<PreviewedBudgetDto | null> {
    const { budgetPerWeek } = rule;
    if (budgetPerWeek === null) return null;
    const isStored = watcher?.alertBudgetPerWeek === budgetPerWeek && watcher.budgetAchieved !== null;
    const severity = isStored
      ? watcher.severityInEffect
      : (await this.past.severityInEffect(org, rule, budgetPerWeek, null, now)).severity;
    return {
      wanted: budgetPerWeek,
      achieved_4_weeks: watcher?.budgetAchieved ?? null,
      severity_in_effect: Math.max(severity, rule.anomalies?.minSeverity ?? 0),
    };
  }

  private shown(org: Org, alerts: readonly AlertOfReplay[], found: readonly PastEvent[]): PreviewedAlertDto[] {
    const byId = new Map(found.map((anomaly) => [anomaly.id, anomaly]));
    return alerts.slice(-MAX_SHOWN).map(({ at, memberId, suppressedBy }) => {
      const anomaly = byId.get(memberId)!;
      return {
        timestamp: Math.floor(at),
        timestamp_string: dateTime(Math.floor(at), org.timezone),
        metric: anomaly.metric,
        metric_id: anomaly.metricId,
        anomaly_id: anomaly.anomalyId,
        kind: anomaly.kind,
        severity: anomaly.severity,
        value: anomaly.value,
        would_alert: suppressedBy === null,
        suppressed_by: suppressedBy,
      };
    });
  }

  private windowOf({ from, until }: PreviewWatcherParams): Window {
    const now = Math.floor(this.clock.now());
    const end = Math.min(until ?? now, now);
    return resolveWindow({ from: from ?? end - DEFAULT_SECONDS, until: end }, now, LONGEST_SECONDS);
  }
}

function ruleOf(orgId: number, watcher: Watcher | null, params: PreviewWatcherParams): WatcherRule {
  const { alert_budget_per_week: budget } = params;
  const threshold = thresholdOf(params, watcher?.threshold ?? null);
  return {
    id: watcher?.id ?? 0,
    orgId,
    name: watcher?.name ?? '',
    chips: params.chips?.map(({ text }) => text) ?? watcher?.chips ?? [],
    anomalies:
      threshold !== null
        ? null
        : {
            minSeverity: params.min_severity ?? watcher?.minSeverity ?? 0,
            minDurationSeconds: params.min_duration_seconds ?? watcher?.minDurationSeconds ?? 0,
            direction: params.direction ?? watcher?.direction ?? 'both',
            kinds: params.kinds ?? watcher?.kinds ?? [],
          },
    threshold,
    expirationSeconds: expirationOf(params, watcher),
    budgetPerWeek: budget === undefined ? (watcher?.alertBudgetPerWeek ?? null) : budget,
    severityInEffect: 0,
    destinations: [],
  };
}

/** Null for a watcher of anomalies. @throws ValidationFailedError if a field of the algorithm is missing */
function thresholdOf(params: PreviewWatcherParams, before: ThresholdRule | null): ThresholdRule | null {
  const algorithm = params.algorithm ?? before?.algorithm;
  if (algorithm === undefined) return null;
  const windowed = params.function ?? before?.function ?? 'none';
  const rule: ThresholdRule = {
    algorithm,
    value: params.value ?? before?.value ?? null,
    valueUpper: params.value_upper ?? before?.valueUpper ?? null,
    timesInARow: params.times_in_a_row ?? before?.timesInARow ?? 1,
    function: windowed,
    functionSeconds: windowed === 'none' ? null : (params.function_seconds ?? before?.functionSeconds ?? null),
    minimumAvg: params.minimum_avg ?? before?.minimumAvg ?? null,
    minimumAvgSeconds: params.minimum_avg_seconds ?? before?.minimumAvgSeconds ?? HOUR,
    dropPercent: params.drop_percent ?? before?.dropPercent ?? 90,
  };
  const missing: (keyof PreviewWatcherParams)[] = [];
  if (algorithm === 'drop_off') {
    if (rule.minimumAvg === null) missing.push('minimum_avg');
  } else if (rule.value === null) missing.push('value');
  if (algorithm === 'outside' && rule.valueUpper === null) missing.push('value_upper');
  if (windowed !== 'none' && rule.functionSeconds === null) missing.push('function_seconds');
  if (missing.length === 0) return rule;
  throw new ValidationFailedError(
    missing.map((field) => ({ field, code: 'required', message: `${field} is required by this threshold` })),
  );
}

function expirationOf(params: PreviewWatcherParams, watcher: Watcher | null): number {
  const { expiration_time: time, expiration_time_unit: unit, expiration_seconds: seconds } = params;
  const given =
    time === undefined ? seconds : time * EXPIRATION_UNIT_SECONDS[unit ?? watcher?.expirationTimeUnit ?? 'second'];
  const wanted = given ?? watcher?.expirationSeconds ?? HOUR;
  return Math.min(LONGEST_EXPIRATION, Math.max(SHORTEST_EXPIRATION, wanted));
}

function countsOf(alerts: readonly AlertOfReplay[]): Pick<WatcherPreviewDto, 'alerts_count' | 'suppressed_count'> {
  const sent = alerts.filter(({ suppressedBy }) => suppressedBy === null).length;
  return { alerts_count: sent, suppressed_count: alerts.length - sent };
}

/** Every day of the window, including days without anything. `alerts` are in order of time. */
function daysOf(alerts: readonly AlertOfReplay[], { from, until }: Window, zone: string): PreviewedDayDto[] {
  const days: PreviewedDayDto[] = [];
  let next = 0;
  for (let day = DateTime.fromSeconds(from, { zone }).startOf('day'); day.toSeconds() <= until;) {
    const counts = { date: day.toISODate()!, alerts: 0, suppressed: 0 };
    day = day.plus({ days: 1 });
    for (const end = day.toSeconds(); next < alerts.length && alerts[next]!.at < end; next++) {
      counts[alerts[next]!.suppressedBy === null ? 'alerts' : 'suppressed']++;
    }
    days.push(counts);
  }
  return days;
}
