import { Injectable, Logger } from '@nestjs/common';

/** A change of a pattern; published after the commit. */
export interface PatternChanged {
  type: 'created' | 'updated';
  orgId: number;
  patternId: number;
  metricId: number;
}

export type PatternListener = (change: PatternChanged) => void | Promise<void>;

/** Notifies other areas of this process. */
@Injectable()
export class PatternEvents {
  private readonly logger = new Logger(PatternEvents.name);
  private readonly listeners = new Set<PatternListener>();

  /** Returns the function that ends the subscription. */
  subscribe(listener: PatternListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The failure of a listener is logged; the others are still notified. */
  publish(changes: readonly PatternChanged[]): void {
    for (const change of changes) for (const listener of this.listeners) void this.notify(listener, change);
  }

  private async notify(listener: PatternListener, change: PatternChanged): Promise<void> {
    try {
      await listener(change);
    } catch (error) {
      this.logger.error(`A listener failed at pattern ${String(change.patternId)} ${change.type}`, error);
    }
  }
}
