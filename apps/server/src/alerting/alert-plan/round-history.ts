import {
  type EarlierMessage,
  isNotified,
  type PlanHistory,
  type PlanState,
  type BudgetedMessage,
} from '#libs/alerting';
import { type NotifiedMetric, type WatcherMessage } from './alert-plan.repository.js';

/** Earlier messages, updated while a round decides on one subject after the other. */
export class RoundHistory {
  private readonly notified = new Map<string, NotifiedMetric[]>();
  private readonly budgeted = new Map<number, WatcherMessage[]>();

  constructor(
    notified: readonly NotifiedMetric[],
    budgeted: readonly WatcherMessage[],
    private readonly anomalous: ReadonlySet<number>,
  ) {
    for (const message of notified) this.noteNotified(message);
    for (const message of budgeted) this.noteBudgeted(message);
  }

  /** For a subject: all messages except its own. */
  except(keys: ReadonlySet<string>): PlanHistory {
    return {
      earlier: (watcherId, metricId): EarlierMessage | null =>
        this.notified.get(placeOf(watcherId, metricId))?.findLast(({ key }) => !keys.has(key)) ?? null,
      budgeted: (watcherId): BudgetedMessage[] =>
        (this.budgeted.get(watcherId) ?? []).filter(({ key }) => !keys.has(key)),
      isAnomalous: (metricIds) => metricIds.some((id) => this.anomalous.has(id)),
    };
  }

  /** A plan has changed to this. */
  note(key: string, state: PlanState): void {
    const { watcherId, notifiedAt, destinations } = state;
    if (notifiedAt === null || destinations.length === 0) return;
    const isSettling = isNotified(state) && state.endedAt !== null;
    for (const metricId of state.notifiedMetrics) {
      const place = placeOf(watcherId, metricId);
      const known = this.notified.get(place) ?? [];
      const others = known.filter((message) => message.key !== key);
      // Messages of this round are in the outbox.
      const { isPending = true } = known.find((message) => message.key === key) ?? {};
      this.notified.set(place, [...others, { key, watcherId, metricId, at: notifiedAt, isSettling, isPending }]);
    }
    const others = (this.budgeted.get(watcherId) ?? []).filter((message) => message.key !== key);
    this.budgeted.set(watcherId, [...others, { key, watcherId, at: notifiedAt, severity: state.notifiedSeverity }]);
  }

  private noteNotified(message: NotifiedMetric): void {
    const place = placeOf(message.watcherId, message.metricId);
    const known = this.notified.get(place);
    if (known === undefined) this.notified.set(place, [message]);
    else known.push(message);
  }

  private noteBudgeted(message: WatcherMessage): void {
    const known = this.budgeted.get(message.watcherId);
    if (known === undefined) this.budgeted.set(message.watcherId, [message]);
    else known.push(message);
  }
}

const placeOf = (watcherId: number, metricId: number): string => `${String(watcherId)}/${String(metricId)}`;
