import { type EarlierMessage, isTold, type PlanHistory, type PlanState, type SpentMessage } from '#libs/alerting';
import { type ToldMetric, type ToldWatcher } from './alert-plan.repository.js';

/** What was sent before, kept up to date while a round decides on one subject after the other. */
export class RoundHistory {
  private readonly told = new Map<string, ToldMetric[]>();
  private readonly spent = new Map<number, ToldWatcher[]>();

  constructor(
    told: readonly ToldMetric[],
    spent: readonly ToldWatcher[],
    private readonly troubled: ReadonlySet<number>,
  ) {
    for (const message of told) this.noteTold(message);
    for (const message of spent) this.noteSpent(message);
  }

  /** For a subject: all but what it has sent itself. */
  except(keys: ReadonlySet<string>): PlanHistory {
    return {
      earlier: (watcherId, metricId): EarlierMessage | null =>
        this.told.get(placeOf(watcherId, metricId))?.findLast(({ key }) => !keys.has(key)) ?? null,
      spent: (watcherId): SpentMessage[] => (this.spent.get(watcherId) ?? []).filter(({ key }) => !keys.has(key)),
      isTroubled: (metricIds) => metricIds.some((id) => this.troubled.has(id)),
    };
  }

  /** A plan has become this. */
  note(key: string, state: PlanState): void {
    const { watcherId, toldAt, destinations } = state;
    if (toldAt === null || destinations.length === 0) return;
    const isSettling = isTold(state) && state.endedAt !== null;
    for (const metricId of state.toldMetrics) {
      const place = placeOf(watcherId, metricId);
      const known = this.told.get(place) ?? [];
      const others = known.filter((message) => message.key !== key);
      // What this round has told is in the outbox.
      const { isOnItsWay = true } = known.find((message) => message.key === key) ?? {};
      this.told.set(place, [...others, { key, watcherId, metricId, at: toldAt, isSettling, isOnItsWay }]);
    }
    const others = (this.spent.get(watcherId) ?? []).filter((message) => message.key !== key);
    this.spent.set(watcherId, [...others, { key, watcherId, at: toldAt, severity: state.toldSeverity }]);
  }

  private noteTold(message: ToldMetric): void {
    const place = placeOf(message.watcherId, message.metricId);
    const known = this.told.get(place);
    if (known === undefined) this.told.set(place, [message]);
    else known.push(message);
  }

  private noteSpent(message: ToldWatcher): void {
    const known = this.spent.get(message.watcherId);
    if (known === undefined) this.spent.set(message.watcherId, [message]);
    else known.push(message);
  }
}

const placeOf = (watcherId: number, metricId: number): string => `${String(watcherId)}/${String(metricId)}`;
