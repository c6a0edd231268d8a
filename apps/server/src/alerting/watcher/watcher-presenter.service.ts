import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Permission } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { relative } from '../../common/display/display.js';
import { masked } from '../../common/secrets/secrets.js';
import { parseChips } from '../../data/chips/chips.js';
import { OrgService } from '../../people/org/org.service.js';
import { type UserDto } from '../../people/user/user.dto.js';
import { isVisibleTo, toUserDto, viewerOf } from '../../people/user/user.functions.js';
import { UserService } from '../../people/user/user.service.js';
import { type User } from '../../people/user/user.types.js';
import { thresholdDto, type WatcherBudgetDto, type WatcherDto } from './dto/watcher.dto.js';
import { type WatcherAlertFacts, WatcherAlertsRepository } from './watcher-alerts.repository.js';
import { WatcherMetricsRepository } from './watcher-metrics.repository.js';
import { usesDemoMailbox } from './watcher-destinations.js';
import { type Watcher } from './watcher.types.js';

/** A list of 500 watchers counts the metrics of each; how long a count is valid. Seconds. */
const COUNT_KEPT_SECONDS = 30;
const MAX_COUNTS = 10_000;

/** Watchers in the form that their caller may see. */
@Injectable()
export class WatcherPresenterService {
  /** By organisation and chips. */
  private readonly counts: LRUCache<string, number>;

  constructor(
    private readonly metrics: WatcherMetricsRepository,
    private readonly alerts: WatcherAlertsRepository,
    private readonly users: UserService,
    private readonly orgs: OrgService,
    private readonly clock: Clock,
  ) {
    const perf = { now: () => clock.now() * 1000 };
    this.counts = new LRUCache({ max: MAX_COUNTS, ttl: COUNT_KEPT_SECONDS * 1000, ttlResolution: 0, perf });
  }

  /** @param fresh counts the metrics again instead of using the cache */
  async present(caller: KnownCaller, watchers: readonly Watcher[], fresh = false): Promise<WatcherDto[]> {
    if (watchers.length === 0) return [];
    const orgId = caller.org.id;
    const named = [...new Set(watchers.flatMap(({ recipients }) => Object.values(recipients).flat()))];
    const [org, users, facts] = await Promise.all([
      this.orgs.getById(orgId),
      this.users.findByIds(orgId, named),
      this.facts(
        orgId,
        watchers.map(({ id }) => id),
      ),
    ]);
    const viewer = viewerOf(caller);
    const orgDto = this.orgs.toDto(org);
    const shown = new Map(
      users.filter((user) => isVisibleTo(user, viewer)).map((user) => [user.id, toUserDto(user, orgDto, viewer)]),
    );
    const mayWrite = (caller.permissions & Permission.Write) !== 0;
    const records: WatcherDto[] = [];
    for (const watcher of watchers) {
      const count = await this.countMetrics(orgId, watcher.chips, fresh);
      records.push(
        toDto(watcher, {
          count,
          users: shown,
          facts: facts.get(watcher.id),
          mayWrite,
          isRecorded: usesDemoMailbox(watcher, org),
          now: this.clock.now(),
        }),
      );
    }
    return records;
  }

  facts(orgId: number, watcherIds: readonly number[]): Promise<Map<number, WatcherAlertFacts>> {
    return this.alerts.facts(orgId, watcherIds, this.clock.now());
  }

  private async countMetrics(orgId: number, chips: readonly string[], fresh: boolean): Promise<number> {
    const key = JSON.stringify([orgId, chips]);
    const kept = fresh ? undefined : this.counts.get(key);
    if (kept !== undefined) return kept;
    const count = await this.metrics.count(orgId, parseChips(chips));
    this.counts.set(key, count);
    return count;
  }
}

interface WatcherContext {
  count: number;
  /** Users that the caller may see, by id. */
  users: ReadonlyMap<number, UserDto>;
  facts: WatcherAlertFacts | undefined;
  mayWrite: boolean;
  /** Its messages go to the demo mailbox. */
  isRecorded: boolean;
  /** Unix seconds. */
  now: number;
}

function toDto(watcher: Watcher, { count, users, facts, mayWrite, isRecorded, now }: WatcherContext): WatcherDto {
  const { recipients, teamsChatWebhook } = watcher;
  const listed = (ids: readonly User['id'][]): UserDto[] => ids.flatMap((id) => users.get(id) ?? []);
  const lastAlert = facts?.lastTimestamp ?? null;
  return {
    id: watcher.id,
    name: watcher.name,
    type: watcher.type,
    chips: watcher.chips,
    alert: watcher.alert,
    metrics_count: count,
    min_severity: watcher.minSeverity,
    min_duration_seconds: watcher.minDurationSeconds,
    direction: watcher.direction,
    kinds: watcher.kinds,
    alert_budget_per_week: watcher.alertBudgetPerWeek,
    budget: budgetDto(watcher),
    chat_channel: watcher.chatChannel,
    teams_chat_webhook: teamsChatWebhook === null || mayWrite ? teamsChatWebhook : masked(teamsChatWebhook),
    pagerduty: watcher.pagerduty,
    alertmanager: watcher.alertmanager,
    webhook: watcher.webhook,
    demo_mailbox: isRecorded,
    expiration_time: watcher.expirationTime,
    expiration_time_unit: watcher.expirationTimeUnit,
    expiration_seconds: watcher.expirationSeconds,
    alert_users: {
      email: listed(recipients.email),
      sms: listed(recipients.sms),
      chat_mentions: listed(recipients.chat_mentions),
    },
    summary_report_frequency: watcher.summaryReportFrequency,
    summary_report_users: listed(recipients.summary),
    next_summary_timestamp: watcher.deletedTimestamp === null ? watcher.nextSummaryTimestamp : null,
    threshold: thresholdDto(watcher.threshold),
    alerts_last_7_days: facts?.last7Days ?? 0,
    last_alert_timestamp: lastAlert,
    last_alert_string: relative(lastAlert, now),
    created_timestamp: watcher.createdTimestamp,
    created_by: watcher.createdBy,
    updated_timestamp: watcher.updatedTimestamp,
    deleted: watcher.deletedTimestamp !== null,
    deleted_timestamp: watcher.deletedTimestamp,
  };
}

function budgetDto({
  alertBudgetPerWeek,
  budgetAchieved,
  severityInEffect,
  minSeverity,
}: Watcher): WatcherBudgetDto | null {
  if (alertBudgetPerWeek === null) return null;
  return {
    wanted: alertBudgetPerWeek,
    achieved_4_weeks: budgetAchieved,
    severity_in_effect: Math.max(severityInEffect, minSeverity),
  };
}
