import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { HOUR } from '../../common/time.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { recordForMetrics } from '../../platform/event/metric.events.js';
import { type KnownName } from './metric-registry.repository.js';
import { RegistryChangesService } from './registry-changes.service.js';

/** A lower limit than elsewhere: every body may create metrics, and the message quotes their names. */
const SINGLE_EVENTS = 3;
const QUOTED_NAMES = 10;
const SECONDS_BETWEEN_QUOTA_EVENTS = HOUR;

type RegistryEventType = 'metric_created' | 'metric_returned';

/** Notifies the organisation of metrics that are new, return, or exceed the quota. */
@Injectable()
export class RegistryEventsService {
  // `max` would allocate memory for all entries at the start.
  private readonly notifiedOfQuota = new LRUCache<number, true>({
    maxSize: 100_000,
    sizeCalculation: () => 1,
    ttl: SECONDS_BETWEEN_QUOTA_EVENTS * 1000,
  });

  constructor(
    private readonly events: EventRecorderService,
    private readonly changes: RegistryChangesService,
  ) {
    changes.subscribe(({ orgId, kind }) => {
      if (kind === 'quota_exceeded') this.notifiedOfQuota.set(orgId, true);
    });
  }

  created(orgId: number, metrics: readonly KnownName[]): void {
    this.recordEvents(orgId, 'metric_created', metrics, 'sent its first data', 'new metrics sent their first data');
  }

  returned(orgId: number, metrics: readonly KnownName[]): void {
    this.recordEvents(
      orgId,
      'metric_returned',
      metrics,
      'sends data again and counts against the quota again',
      'metrics send data again and count against the quota again',
    );
  }

  /** Once an hour per organisation, whichever process refuses. */
  async refused(orgId: number, count: number): Promise<void> {
    if (count === 0 || this.notifiedOfQuota.has(orgId)) return;
    this.notifiedOfQuota.set(orgId, true);
    this.events.record({
      orgId,
      type: 'quota_exceeded',
      level: 'warning',
      message:
        `New metrics were refused (${String(count)} in one request): the organisation has reached its limit. ` +
        'Known metrics are still accepted.',
      details: { refused: count },
    });
    const change = { orgId, kind: 'quota_exceeded', metricIds: [], metricType: null } as const;
    this.changes.announce(await this.changes.write(change));
  }

  private recordEvents(
    orgId: number,
    type: RegistryEventType,
    metrics: readonly KnownName[],
    one: string,
    many: string,
  ): void {
    recordForMetrics(this.events, { orgId, type, level: 'info' }, metrics, {
      one: (name) => `${name} ${one}.`,
      many: (count, names) => {
        const end = count > names.length ? ` and ${String(count - names.length)} more` : '';
        return `${String(count)} ${many}: ${names.join(', ')}${end}.`;
      },
      single: SINGLE_EVENTS,
      named: QUOTED_NAMES,
    });
  }
}
