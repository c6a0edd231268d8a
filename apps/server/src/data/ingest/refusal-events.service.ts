import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type RefusalReason } from '#libs/contracts';
import { type Refusals } from '#libs/protocols';
import { FlushBuffer } from '../../common/flush-buffer.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type IngestProtocol } from './ingest-telemetry.service.js';

/** Interval of the reports. */
const REPORT_AFTER_MS = 60_000;
/** Maximum number of names in an event. */
const MAX_QUOTED = 10;
/** Maximum number of problems in an event. */
const MAX_PROBLEMS = 3;
const MAX_QUOTED_LENGTH = 200;

interface RefusedSum {
  orgId: number;
  reason: RefusalReason;
  points: number;
  protocols: Set<IngestProtocol>;
  /** The first names. */
  metrics: Set<string>;
  /** The first problems, each with the member, the rule and the value; none for a policy of the organisation. */
  problems: Set<string>;
}

/**
 * Reports refused data to the organisation, as event `ingest_refused`: one event per minute and reason. The senders of
 * some protocols get no answer (Graphite), and those of others do not show it to people.
 */
@Injectable()
export class RefusalEventsService implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly sums = new FlushBuffer<string, RefusedSum>({
    write: async (sums) => this.record([...sums.values()]),
    afterMs: REPORT_AFTER_MS,
  });

  /** Refused requests by organisation. */
  private readonly limited = new FlushBuffer<number, number>({
    merge: (present, added) => present + added,
    write: async (counts) => this.recordAtLimits(counts),
    afterMs: REPORT_AFTER_MS,
  });

  constructor(private readonly events: EventRecorderService) {}

  recordRefusals(orgId: number, protocol: IngestProtocol, refusals: Refusals): void {
    if (refusals.total === 0) return;
    for (const [metric, counts] of refusals.metrics) {
      for (const [reason, points] of Object.entries(counts) as [RefusalReason, number][]) {
        // A summary without observations is NaN: nearly every Prometheus sends some, which is not an error.
        if (protocol === 'prometheus' && reason === 'not_finite') continue;
        this.add(orgId, protocol, reason, metric, points);
      }
    }
    for (const { reason, problem } of refusals.badLines) {
      const problems = this.sums.get(keyOf(orgId, reason))?.problems;
      if (problems !== undefined && problems.size < MAX_PROBLEMS) problems.add(problem);
    }
  }

  /**
   * A body was refused by the limits of its token or organisation. Its points are not parsed, so requests are counted.
   */
  recordLimited(orgId: number): void {
    this.limited.add(orgId, 1);
  }

  /** Records the refusals since the last call. */
  flush(): void {
    void this.sums.tryFlush();
    void this.limited.tryFlush();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Reports the refusals of the last requests. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  private async close(): Promise<void> {
    await Promise.all([this.sums.close(), this.limited.close()]);
  }

  private recordAtLimits(counts: ReadonlyMap<number, number>): void {
    for (const [orgId, requests] of counts) {
      const what = requests === 1 ? '1 request was' : `${String(requests)} requests were`;
      this.events.record({
        orgId,
        type: 'ingest_refused',
        level: 'warning',
        title: 'Requests refused: rate_limited',
        message: `${what} refused: the limits of a token or of the organisation are reached. Senders that wait and retry lose nothing.`,
        details: { reason: 'rate_limited', requests },
      });
    }
  }

  private record(sums: readonly RefusedSum[]): void {
    for (const { orgId, reason, points, protocols, metrics, problems } of sums) {
      const quoted = [...metrics];
      const [problem] = problems;
      const what = points === 1 ? '1 point was' : `${String(points)} points were`;
      this.events.record({
        orgId,
        type: 'ingest_refused',
        level: 'warning',
        title: `Points refused: ${reason}`,
        message: `${what} refused (${reason}), sent by ${[...protocols].join(', ')}; for example ${quoted[0] ?? ''}${problem === undefined ? '' : `: ${problem}`}`,
        details: { reason, points, protocols: [...protocols], metrics: quoted, problems: [...problems] },
      });
    }
  }

  private add(orgId: number, protocol: IngestProtocol, reason: RefusalReason, metric: string, points: number): void {
    const key = keyOf(orgId, reason);
    const sum = this.sums.get(key) ?? newSum(orgId, reason);
    sum.points += points;
    sum.protocols.add(protocol);
    if (sum.metrics.size < MAX_QUOTED) sum.metrics.add(metric.slice(0, MAX_QUOTED_LENGTH));
    this.sums.add(key, sum);
  }
}

const keyOf = (orgId: number, reason: RefusalReason): string => `${String(orgId)} ${reason}`;

const newSum = (orgId: number, reason: RefusalReason): RefusedSum => ({
  orgId,
  reason,
  points: 0,
  protocols: new Set(),
  metrics: new Set(),
  problems: new Set(),
});
