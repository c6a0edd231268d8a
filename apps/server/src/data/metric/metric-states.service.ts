import { Injectable } from '@nestjs/common';
import { type EventLevel, type EventType, type MetricState } from '#libs/contracts';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { Clock } from '../../common/clock.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { dateOf } from '../../common/time.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { recordForMetrics } from '../../platform/event/metric.events.js';
import { MetricStatesRepository, type StateChange } from './metric-states.repository.js';

/** First key of its advisory lock. */
const LOCK_SPACE = DATABASE_LOCKS.metricStates.number;
const EVERY_MS = 30_000;
/** Maximum number of changes per statement. */
const STEP = 20_000;

type Change = 'metric_stale' | 'metric_inactive' | 'metric_returned';

/**
 * Detects metrics that become silent or return, updates the states that lists and searches read, and notifies. Runs
 * every half minute in one process of the installation; a return is handled immediately in the process that receives
 * the point.
 */
@Injectable()
export class MetricStatesService extends RecurringWork {
  constructor(
    private readonly states: MetricStatesRepository,
    private readonly events: EventRecorderService,
    private readonly locks: AdvisoryLocks,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'States of metrics could not be brought up to date', role: 'detect' });
  }

  /** Updates all states and notifies of changes. False if another process is already doing this. */
  run(): Promise<boolean> {
    return this.locks.runAlone(LOCK_SPACE, 0, () => this.refreshAll());
  }

  /** Makes silent metrics that have just received points active immediately instead of at the next run. */
  async noteData(metricIds: Uint32Array): Promise<void> {
    const now = this.clock.now();
    const changes = await this.states.refreshReturned(now, metricIds);
    if (changes.length === 0) return;
    this.report(changes);
    await this.followFlow(changes, now);
  }

  private async refreshAll(): Promise<void> {
    const now = this.clock.now();
    let changes: StateChange[];
    do {
      changes = await this.states.refresh(now, STEP);
      this.report(changes);
      await this.followFlow(changes, now);
    } while (changes.length === STEP);
  }

  private report(changes: readonly StateChange[]): void {
    const groups = new Map<string, { orgId: number; type: Change; metrics: StateChange[] }>();
    for (const change of changes) {
      const type = typeOf(change);
      if (type === undefined) continue;
      const key = `${String(change.orgId)} ${type}`;
      const group = groups.get(key) ?? { orgId: change.orgId, type, metrics: [] };
      group.metrics.push(change);
      groups.set(key, group);
    }
    for (const { orgId, type, metrics } of groups.values()) {
      const { level, says } = EVENT_TEXTS[type];
      const named = metrics.map(({ metricId, name }) => ({ id: metricId, name }));
      recordForMetrics(this.events, { orgId, type, level }, named, {
        one: (name) => `${name} ${says}.`,
        many: (count) => `${String(count)} metrics: each ${says}.`,
      });
    }
  }

  /** Data stops when the last sending metric becomes silent, and resumes when any metric sends. */
  private async followFlow(changes: readonly StateChange[], now: number): Promise<void> {
    const fellSilent = new Set(
      changes.flatMap(({ before, orgId, after }) => (before === 'active' && after !== 'removed' ? orgId : [])),
    );
    for (const { orgId, hasStopped, isFlowing } of await this.states.flows([...fellSilent])) {
      if (!hasStopped && !isFlowing && (await this.states.noteStopped(orgId, dateOf(now)))) {
        this.recordEvent(orgId, 'data_stopped', 'warning', 'No metric sends data any more.');
      }
      if (hasStopped && isFlowing && (await this.states.noteStopped(orgId, null))) {
        this.recordEvent(orgId, 'data_resumed', 'notice', 'Data arrives again.');
      }
    }
  }

  private recordEvent(orgId: number, type: EventType, level: EventLevel, message: string): void {
    this.events.record({ orgId, type, level, message });
  }
}

const EVENT_TEXTS: Readonly<Record<Change, { level: EventLevel; says: string }>> = {
  metric_stale: { level: 'notice', says: 'has stopped sending' },
  metric_inactive: { level: 'notice', says: 'has been silent for a day and leaves analysis until it sends again' },
  metric_returned: { level: 'info', says: 'sends again' },
};

const TYPE_OF: Readonly<Record<MetricState, Change | undefined>> = {
  active: 'metric_returned',
  stale: 'metric_stale',
  inactive: 'metric_inactive',
  removed: undefined,
};

/** Undefined: no event. Other code reports metrics that are removed from the quota or return to it. */
function typeOf({ before, after, isOnlyHistory }: StateChange): Change | undefined {
  if (before === 'removed' || isOnlyHistory) return undefined;
  return TYPE_OF[after];
}
