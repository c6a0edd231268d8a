import { LRUCache } from 'lru-cache';

/** Consecutive failures after which a queue is paused. */
const FAILURES = 3;
const FIRST_PAUSE_SECONDS = 5;
const LONGEST_PAUSE_SECONDS = 60;
/** Maximum number of recently failed queues that are remembered. */
const REMEMBERED = 10_000;

interface Breaker {
  failures: number;
  /** Reason of the last failure. */
  reason: string;
  pauseSeconds: number;
  /** Unix seconds; 0: closed. */
  openUntil: number;
}

/** A paused queue. */
export interface PausedQueue {
  queue: string;
  reason: string;
}

/**
 * A circuit breaker per queue: after some consecutive failures it pauses, then one row is tried; if that fails too, the
 * pause doubles, up to a minute. Each process has its own state. Times in Unix seconds. Why this does not use a
 * library: docs/decisions/0056-own-circuit-breakers.md.
 */
export class CircuitBreakers {
  private readonly breakers = new LRUCache<string, Breaker>({ max: REMEMBERED });

  /** Number of rows of the queue that may be tried now, at most `most`. */
  allowed(queue: string, now: number, most: number): number {
    const breaker = this.breakers.get(queue);
    if (breaker === undefined || breaker.openUntil === 0) return most;
    return now < breaker.openUntil ? 0 : 1;
  }

  /** The destination of the queue works. */
  recordSuccess(queue: string): void {
    this.breakers.delete(queue);
  }

  /** @param waitSeconds the wait that the service requested, which applies to the whole queue */
  recordFailure(queue: string, now: number, reason: string, waitSeconds: number | null): void {
    const known = this.breakers.get(queue);
    const breaker = known ?? { failures: 0, reason, pauseSeconds: FIRST_PAUSE_SECONDS, openUntil: 0 };
    breaker.reason = reason;
    // Results of rows that were being sent when it opened add no information.
    if (breaker.openUntil <= now && ++breaker.failures >= FAILURES) {
      breaker.openUntil = now + breaker.pauseSeconds;
      breaker.pauseSeconds = Math.min(2 * breaker.pauseSeconds, LONGEST_PAUSE_SECONDS);
    }
    if (waitSeconds !== null) breaker.openUntil = Math.max(breaker.openUntil, now + waitSeconds);
    this.breakers.set(queue, breaker);
  }

  /** Lanes that are paused, or wait for their trial. */
  open(): PausedQueue[] {
    return [...this.breakers.entries()]
      .filter(([, { openUntil }]) => openUntil > 0)
      .map(([queue, { reason }]) => ({ queue, reason }));
  }
}
