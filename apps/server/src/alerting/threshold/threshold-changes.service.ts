import { Injectable } from '@nestjs/common';
import { lastingText, shownUnit, valueText } from '#libs/wording';
import { type Tx } from '../../common/database/transactions.js';
import { Clock } from '../../common/clock.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { StreamLog } from '../../platform/stream-log/stream-log.service.js';
import { ThresholdRepository } from './threshold.repository.js';
import {
  type Departure,
  type NewThresholdChange,
  type ThresholdChange,
  type ThresholdWatcher,
} from './threshold.types.js';

const EVENTS = { breached: 'threshold_breached', recovered: 'threshold_recovered' } as const;

/** Breaches and recoveries: for the areas that alert of them and show them. */
@Injectable()
export class ThresholdChanges {
  constructor(
    private readonly rows: ThresholdRepository,
    private readonly stream: StreamLog,
    private readonly events: EventRecorder,
    private readonly clock: Clock,
  ) {}

  /** Organisations with changes of which it was not decided yet whom to alert. */
  orgsWaiting(): Promise<number[]> {
    return this.rows.orgsWaiting();
  }

  /** The oldest of these, at most `limit`, in the order in which they happened. From the end of `tx` on they do not wait any more. */
  takeWaiting(orgId: number, limit: number, tx: Tx): Promise<ThresholdChange[]> {
    return this.rows.takeWaiting(orgId, limit, this.clock.now(), tx);
  }

  /** Those of the ids that are there. */
  findByIds(orgId: number, ids: readonly number[]): Promise<ThresholdChange[]> {
    return this.rows.findMany(orgId, ids);
  }

  /** Answers those whose watcher and metric are there. To be published by `publish` once they are committed. */
  async record(changes: readonly NewThresholdChange[], tx: Tx): Promise<ThresholdChange[]> {
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
    return recorded;
  }

  publish(changes: readonly ThresholdChange[], watchers: ReadonlyMap<number, ThresholdWatcher>): void {
    for (const change of changes) {
      const { orgId, watcherId, metricId, type, timestamp, value, threshold } = change;
      const watcher = watchers.get(watcherId);
      if (watcher === undefined) continue;
      this.events.record({
        orgId,
        type: EVENTS[type],
        level: type === 'breached' ? 'alert' : 'info',
        title: textOf(change, watcher),
        message: `${watcher.name}: ${textOf(change, watcher)}.`,
        watcherId,
        metricId,
        timestamp,
        details: { value, threshold, ...(change.departure === null ? {} : { reason: change.departure }) },
      });
    }
  }
}

/** What follows the name of the metric. */
const DEPARTURES: Readonly<Record<Departure, string>> = {
  left: 'is no longer selected by the watcher',
  removed: 'was removed',
  deleted: 'is no longer watched: the watcher was deleted',
};

/** What happened, without a full stop: `web.cpu is at 62.76 %, above 60 %`. */
function textOf({ type, value, threshold, departure, metric }: ThresholdChange, { rule }: ThresholdWatcher): string {
  const { name } = metric;
  if (departure !== null) return `${name} ${DEPARTURES[departure]}`;
  if (rule.algorithm === 'no_data') {
    const silent = `${name} has had no data for ${lastingText(value)}; the limit is ${lastingText(threshold)}`;
    return type === 'recovered' ? `${name} has data again` : silent;
  }
  const unit = shownUnit(metric);
  const [seen, limit] = [valueText(value, unit), valueText(threshold, unit)];
  if (type === 'recovered') return `${name} is at ${seen}, within the limit of ${limit} again`;
  return `${name} is at ${seen}, ${value > threshold ? 'above' : 'below'} ${limit}`;
}
