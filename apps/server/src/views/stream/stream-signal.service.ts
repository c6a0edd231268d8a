import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DatabaseNotifications } from '../../common/database/notifications.js';
import { STREAM_CHANNEL } from '../../platform/stream-log/stream-log.types.js';

/** Interval of checks without a notification: they make up for lost ones. */
const LOOK_ANYWAY_MS = 10_000;

/** Wakes listeners when a change of their organisation was committed, in any process. */
@Injectable()
export class StreamSignalService implements OnModuleDestroy {
  private readonly waiting = new Map<number, Set<() => void>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly notifications: DatabaseNotifications) {}

  /** Calls `wake` at each change of the organisation until the returned function is called. */
  subscribe(orgId: number, wake: () => void): () => void {
    this.begin();
    const wakes = this.waiting.get(orgId) ?? new Set();
    this.waiting.set(orgId, wakes.add(wake));
    return () => {
      wakes.delete(wake);
      if (wakes.size === 0 && this.waiting.get(orgId) === wakes) this.waiting.delete(orgId);
    };
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private begin(): void {
    if (this.timer !== undefined) return;
    this.timer = setInterval(() => this.wakeAll(), LOOK_ANYWAY_MS).unref();
    this.notifications.listen(STREAM_CHANNEL, (payload) => {
      if (payload === undefined) this.wakeAll();
      else for (const orgId of payload.split(',')) this.wake(Number(orgId));
    });
  }

  private wake(orgId: number): void {
    for (const wake of [...(this.waiting.get(orgId) ?? [])]) wake();
  }

  private wakeAll(): void {
    for (const orgId of [...this.waiting.keys()]) this.wake(orgId);
  }
}
