import { Injectable } from '@nestjs/common';
import { lastingText, shownUnit, valueText } from '#libs/wording';
import { type Tx } from '../../common/database/transactions.js';
import { Clock } from '../../common/clock.js';
import { type OrgEvent } from '../../platform/event/event.types.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { StreamLogService } from '../../platform/stream-log/stream-log.service.js';
import { ThresholdRepository } from './threshold.repository.js';
import {
  type Departure,
  type NewThresholdChange,
  type ThresholdChange,
  type ThresholdWatcher,
} from './threshold.types.js';

const EVENTS = { breached: 'threshold_breached', recovered: 'threshold_recovered' } as const;

/** Breaches and recoveries: for the areas that alert on them and show them. */
@Injectable()
export class ThresholdChangesService {
  constructor(
    private readonly rows: ThresholdRepository,
    private readonly stream: StreamLogService,
    private readonly events: EventRecorderService,
    private readonly clock: Clock,
  ) {}

  /** Organisations with changes for which no alerts were decided yet. */
  orgsWaiting(): Promise<number[]> {
    return this.rows.orgsWaiting();
  }

  /** The oldest of these, at most `limit`, in the order in which they happened. They no longer wait once `tx` ends. */
  takeWaiting(orgId: number, limit: number, tx: Tx): Promise<ThresholdChange[]> {
    return this.rows.takeWaiting(orgId, limit, this.clock.now(), tx);
  }

  /** The existing ones among the ids. */
  findByIds(orgId: number, ids: readonly number[]): Promise<ThresholdChange[]> {
    return this.rows.findMany(orgId, ids);
  }

  /** Those whose watcher and metric exist. */
  async record(
    changes: readonly NewThresholdChange[],
    watchers: ReadonlyMap<number, ThresholdWatcher>,
    tx: Tx,
  ): Promise<void> {
    const recorded = await this.rows.record(changes, tx);
    await this.stream.append(
      recorded.map(({ id, orgId, type, metricId }) => ({
        orgId,
        type: `threshold.${type}` as const,
        subjectId: id,
        metricId,
      })),
      tx,
    );
    for (const change of recorded) {
      const watcher = watchers.get(change.watcherId);
      if (watcher !== undefined) this.events.record(eventOf(change, watcher), tx);
    }
  }
}

function eventOf(change: ThresholdChange, watcher: ThresholdWatcher): OrgEvent {
  const { orgId, watcherId, metricId, type, timestamp, value, threshold, departure } = change;
  return {
    orgId,
    type: EVENTS[type],
    level: type === 'breached' ? 'alert' : 'info',
    title: textOf(change, watcher),
    message: `${watcher.name}: ${textOf(change, watcher)}.`,
    watcherId,
    metricId,
    timestamp,
    details: { value, threshold, ...(departure === null ? {} : { reason: departure }) },
  };
}

/** Follows the name of the metric. */
const DEPARTURES: Readonly<Record<Departure, string>> = {
  left: 'is no longer selected by the watcher',
  removed: 'was removed',
  deleted: 'is no longer watched: the watcher was deleted',
};

/** The event as a text without a full stop: `web.cpu is at 62.76 %, above 60 %`. */
function textOf({ type, value, threshold, departure, metric }: ThresholdChange, { rule }: ThresholdWatcher): string {
  const { name } = metric;
  if (departure !== null) return `${name} ${DEPARTURES[departure]}`;
  if (rule.algorithm === 'no_data') {
    const silent = `${name} has had no data for ${lastingText(value)}; the limit is ${lastingText(threshold)}`;
    return type === 'recovered' ? `${name} has data again` : silent;
  }
  const unit = shownUnit(metric);
  const [current, limit] = [valueText(value, unit), valueText(threshold, unit)];
  if (type === 'recovered') return `${name} is at ${current}, within the limit of ${limit} again`;
  return `${name} is at ${current}, ${value > threshold ? 'above' : 'below'} ${limit}`;
}
