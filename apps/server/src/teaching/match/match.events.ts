import { Injectable, Logger } from '@nestjs/common';

/**
 * A match; published once it is committed. `withdrawn`: it turned out not to resemble its pattern, and is now an
 * anomaly.
 */
export interface MatchChanged {
  type: 'created' | 'withdrawn';
  orgId: number;
  matchId: number;
  metricId: number;
  patternId: number;
  /** Start of the matched part, Unix seconds. */
  timestamp: number;
}

export type MatchListener = (change: MatchChanged) => void | Promise<void>;

/** Notifies other areas of this process. */
@Injectable()
export class MatchEvents {
  private readonly logger = new Logger(MatchEvents.name);
  private readonly listeners = new Set<MatchListener>();

  /** Returns the function that ends the subscription. */
  subscribe(listener: MatchListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The failure of a listener is logged; the others are still notified. */
  publish(changes: readonly MatchChanged[]): void {
    for (const change of changes) for (const listener of this.listeners) void this.notify(listener, change);
  }

  private async notify(listener: MatchListener, change: MatchChanged): Promise<void> {
    try {
      await listener(change);
    } catch (error) {
      this.logger.error(`A listener failed at match ${String(change.matchId)} ${change.type}`, error);
    }
  }
}
