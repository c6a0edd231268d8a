import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { type ErrorCode } from '#libs/contracts';
import { FlushBuffer } from '../flush-buffer.js';
import { MetricsRegistry } from './metrics.js';

/** Maximum number of organisations with separate series; the one without a refusal for the longest time loses them. */
const MAX_ORGS = 200;
const NO_ORG = 'none';
const LOG_EVERY_MS = 60_000;

/**
 * Answers that refuse a request because of its caller, its size or its rate. Other errors are faults of the client or
 * of the program.
 */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'not_authenticated',
  'session_expired',
  'token_expired',
  'login_failed',
  'code_invalid',
  'signature_invalid',
  'permission_denied',
  'demo_account',
  'session_required',
  'cross_site_refused',
  'signup_closed',
  'limit_reached',
  'too_large',
  'rate_limited',
  'overloaded',
]);

/**
 * Refused requests by organisation and reason, for operators: as a counter, and once a minute a log line for each
 * organisation that is at its limits. The number of series is bounded: reasons are codes of the catalogue.
 */
@Injectable()
export class RefusalCounts implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RefusalCounts.name);
  private readonly refusals: Counter<'org' | 'reason'>;
  private readonly orgs = new LRUCache<string, Set<ErrorCode>>({
    max: MAX_ORGS,
    dispose: (reasons, org) => {
      for (const reason of reasons) this.refusals.remove({ org, reason });
    },
  });
  private readonly listeners: ((orgId: number, requests: number) => Promise<void>)[] = [];
  private readonly limited = new FlushBuffer<number, number>({
    merge: (present, added) => present + added,
    afterMs: LOG_EVERY_MS,
    write: async (counts) => {
      for (const [orgId, requests] of counts) {
        this.logger.warn(
          `The organisation ${String(orgId)} is at its limits: ${String(requests)} of its requests were refused within a minute`,
        );
        for (const listener of this.listeners) await listener(orgId, requests);
      }
    },
  });

  constructor(metrics: MetricsRegistry) {
    this.refusals = new Counter({
      name: 'plumbline_refusals_total',
      help: 'Requests refused, by organisation (none: no valid credential) and reason; the latest 200 organisations.',
      labelNames: ['org', 'reason'],
      registers: [metrics.prometheus],
    });
  }

  /** Counts an error answer if it is a refusal. @param orgId null without valid credential */
  record(orgId: number | null, reason: ErrorCode): void {
    if (!REFUSALS.has(reason)) return;
    const org = orgId === null ? NO_ORG : String(orgId);
    if (orgId !== null) {
      const reasons = this.orgs.get(org) ?? new Set();
      reasons.add(reason);
      this.orgs.set(org, reasons, { noDisposeOnSet: true });
    }
    this.refusals.inc({ org, reason });
    if (orgId !== null && reason === 'rate_limited') this.limited.add(orgId, 1);
  }

  /**
   * `listener` is called once a minute for each organisation whose requests this process refused because of its limits.
   */
  onLimited(listener: (orgId: number, requests: number) => Promise<void>): void {
    this.listeners.push(listener);
  }

  /** Writes the pending log lines at the end of the minute. */
  flush(): Promise<void> {
    return this.limited.tryFlush();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.limited.close();
  }
}
