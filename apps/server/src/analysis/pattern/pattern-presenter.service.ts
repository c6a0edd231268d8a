import { Injectable } from '@nestjs/common';
import { missingPermissions, Permission } from '#libs/contracts';
import { shownUnit } from '#libs/wording';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { date, duration, percent, percentOf, relative } from '../../common/display/display.js';
import { Links } from '../../common/http/links.js';
import { UserService } from '../../people/user/user.service.js';
import { type PatternDto, type PendingPatternDto } from './pattern.dto.js';
import { MAX_SEEN, type Pattern, type PendingPattern } from './pattern.types.js';

/** The system user. */
const SYSTEM_USER = { id: 1, name: 'Plumbline' };

/** Records of patterns in the form that a caller may see. */
@Injectable()
export class PatternPresenterService {
  constructor(
    private readonly users: UserService,
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  async present(caller: KnownCaller, patterns: readonly Pattern[]): Promise<PatternDto[]> {
    if (patterns.length === 0) return [];
    const now = this.clock.now();
    const names = await this.users.displayNames(
      caller,
      patterns.map(({ creatorUserId }) => creatorUserId),
    );
    const mayWrite = missingPermissions(caller.permissions, Permission.Write).length === 0;
    return patterns.map((pattern) => this.toDto(pattern, { caller, now, names, mayWrite }));
  }

  async presentPending(caller: KnownCaller, pending: readonly PendingPattern[]): Promise<PendingPatternDto[]> {
    if (pending.length === 0) return [];
    const names = await this.users.displayNames(
      caller,
      pending.map(({ requestedBy }) => requestedBy),
    );
    return pending.map((one) => ({
      id: one.id,
      anomaly_id: one.anomalyId,
      metric_id: one.metricId,
      metric: one.metricName,
      duration: one.duration,
      duration_string: duration(one.duration),
      label: one.label,
      positive: one.positive,
      status: one.status,
      message: one.message,
      requested_timestamp: Math.floor(one.requestedTimestamp),
      requested_by: one.requestedBy,
      requested_by_display_name: one.requestedBy === null ? null : (names.get(one.requestedBy) ?? null),
      progress_id: one.progressId,
    }));
  }

  /** Of the compared shape. */
  pictureUrl(id: number): string {
    return this.links.api(`/pattern/${String(id)}/graph`);
  }

  private toDto(
    pattern: Pattern,
    {
      caller,
      now,
      names,
      mayWrite,
    }: { caller: KnownCaller; now: number; names: ReadonlyMap<number, string>; mayWrite: boolean },
  ): PatternDto {
    const { creatorUserId, origin, metricName, checks, matches } = pattern;
    const isMachine = origin !== 'trained';
    const until = pattern.partEnd;
    return {
      id: pattern.id,
      parent_id: pattern.parentId ?? 0,
      group_id: pattern.hasRelatives ? (pattern.rootId ?? pattern.id) : 0,
      generation: pattern.generation,
      creator_type: isMachine ? 'machine' : 'user',
      creator_user_id: isMachine ? SYSTEM_USER.id : (creatorUserId ?? SYSTEM_USER.id),
      creator_user_display_name:
        isMachine || creatorUserId === null ? SYSTEM_USER.name : (names.get(creatorUserId) ?? ''),
      metric_id: pattern.metricId,
      metric_name: metricName,
      metric: metricName,
      duration: pattern.duration,
      duration_string: duration(pattern.duration),
      anomaly_timestamp: until,
      anomaly_id: pattern.anomalyId,
      anomaly_value: pattern.anomalyValue,
      unit: shownUnit({ type: pattern.metricType, unit: pattern.metricUnit }),
      created_timestamp: Math.floor(pattern.createdTimestamp),
      created_string: date(pattern.createdTimestamp, caller.org.timezone),
      enabled: pattern.enabled,
      origin,
      layers: false,
      shadow: pattern.shadow,
      seen_timestamps: pattern.starts.slice(-MAX_SEEN).map(Math.floor),
      checks,
      matches,
      invalid_matches: pattern.invalidMatches,
      match_rate: percent(matches, checks),
      match_rate_string: percentOf(matches, checks),
      match_rate_percent: checks === 0 ? 0 : Math.round((100 * matches) / checks),
      last_match_timestamp: pattern.lastMatchTimestamp === null ? null : Math.floor(pattern.lastMatchTimestamp),
      last_match_string: relative(pattern.lastMatchTimestamp, now),
      label: pattern.label,
      positive: pattern.positive,
      validated: pattern.validated,
      similarity_threshold: pattern.similarityThreshold,
      deletable: mayWrite,
      graph_url: this.links.api(`/metric/${encodeURIComponent(metricName)}/graph`, {
        from: until - pattern.duration,
        until,
        display_x_axis: 'below',
        display_y_axis: 'right',
        display_legend: false,
        display_anomalies: false,
        display_matches: false,
      }),
    };
  }
}
