import { type DynamicModule, Module } from '@nestjs/common';
import { type PointBatch, type RecordKind } from '#libs/point-log';
import { type MetricMetadata, type SeriesHeader } from '#libs/protocols';
import { LoadedConfig } from '../../apps/server/src/common/config/load-config.js';
import { TokenStrategy } from '../../apps/server/src/common/auth/strategies/token.strategy.js';
import { DetectionBacklog } from '../../apps/server/src/data/detection-backlog/detection-backlog.service.js';
import { EventRecorder } from '../../apps/server/src/platform/event/event-recorder.service.js';
import { type OrgEvent } from '../../apps/server/src/platform/event/event.types.js';
import { BodyBudget } from '../../apps/server/src/data/ingest/body-budget.service.js';
import { BodyParser } from '../../apps/server/src/data/ingest/body-parser.service.js';
import { InfluxClients } from '../../apps/server/src/data/ingest/influx-clients.service.js';
import { IngestAdmission } from '../../apps/server/src/data/ingest/ingest-admission.service.js';
import { IngestGate } from '../../apps/server/src/data/ingest/ingest-gate.service.js';
import { IngestLimits } from '../../apps/server/src/data/ingest/ingest-limits.service.js';
import { IngestReceiver } from '../../apps/server/src/data/ingest/ingest-receiver.service.js';
import { IngestSenders } from '../../apps/server/src/data/ingest/ingest-senders.service.js';
import { IngestStorage } from '../../apps/server/src/data/ingest/ingest-storage.service.js';
import { IngestTelemetry } from '../../apps/server/src/data/ingest/ingest-telemetry.service.js';
import { IngestConfig } from '../../apps/server/src/data/ingest/ingest.config.js';
import { IngestService } from '../../apps/server/src/data/ingest/ingest.service.js';
import { ParserThread } from '../../apps/server/src/data/ingest/parser-thread.service.js';
import { ProtocolSettings } from '../../apps/server/src/data/ingest/protocol-settings.service.js';
import { PointWriter } from '../../apps/server/src/data/ingest/point-writer.service.js';
import { RefusalEvents } from '../../apps/server/src/data/ingest/refusal-events.service.js';
import { StoredPoints } from '../../apps/server/src/data/ingest/stored-points.service.js';
import { TestSends } from '../../apps/server/src/data/ingest/test-sends.service.js';
import { MetricRegistry, type ResolvedSeries } from '../../apps/server/src/data/metric/metric-registry.service.js';
import { OrgService } from '../../apps/server/src/people/org/org.service.js';
import { PointCounts } from '../../apps/server/src/data/point-count/point-counts.service.js';
import { POINT_LOG } from '../../apps/server/src/platform/storage/storage.types.js';
import { Onboarding } from '../../apps/server/src/people/progress/onboarding.service.js';

export const RETENTION_2_SECONDS = 63_072_000;

/** Keeps what was appended. */
export class FakeLog {
  appended: { batch: PointBatch; kind: RecordKind }[] = [];
  failure: Error | undefined;
  queuedPoints = 0;
  /** Appends wait for it. */
  hold: Promise<void> | undefined;
  waiting = 0;

  stats(): { queuedPoints: number } {
    return { queuedPoints: this.queuedPoints };
  }

  async append(batch: PointBatch, kind: RecordKind): Promise<void> {
    this.waiting++;
    await this.hold;
    this.waiting--;
    if (this.failure) throw this.failure;
    this.appended.push({ batch, kind });
  }

  get points(): number {
    return this.appended.reduce((sum, { batch }) => sum + batch.ids.length, 0);
  }
}

/** Ids in the order of first sight; names that begin with `over` are over quota, those with `excluded` are excluded. */
export class FakeRegistry {
  readonly ids = new Map<string, number>();
  readonly sources = new Set<string>();

  readonly metadata: MetricMetadata[] = [];

  async applyMetadata(_orgId: number, metadata: readonly MetricMetadata[]): Promise<void> {
    this.metadata.push(...metadata);
  }

  async resolve(_orgId: number, source: string, headers: readonly SeriesHeader[]): Promise<ResolvedSeries> {
    this.sources.add(source);
    for (const { name } of headers) if (!this.ids.has(name)) this.ids.set(name, this.ids.size + 1);
    return this.probe(_orgId, headers);
  }

  async findIds(_orgId: number, names: readonly string[]): Promise<Map<string, number>> {
    return new Map(names.flatMap((name) => (this.ids.has(name) ? [[name, this.ids.get(name)!]] : [])));
  }

  async probe(_orgId: number, headers: readonly SeriesHeader[]): Promise<ResolvedSeries> {
    const refused: ResolvedSeries['refused'] = new Map();
    headers.forEach(({ name }, index) => {
      if (name.startsWith('over')) refused.set(index, 'over_quota');
      if (name.startsWith('excluded')) refused.set(index, 'excluded');
    });
    return {
      ids: Uint32Array.from(headers, ({ name }, i) => (refused.has(i) ? 0 : (this.ids.get(name) ?? 0))),
      refused,
    };
  }
}

/** What the ingest area stands on, without a database; `reset` before every test. */
export class FakeIngest {
  readonly log = new FakeLog();
  readonly registry = new FakeRegistry();
  readonly backlog = { points: 0 };
  events: OrgEvent[] = [];
  testSends: unknown[][] = [];
  /** Points counted, by organisation. */
  readonly counted = new Map<number, number>();

  constructor(private readonly given: Partial<IngestConfig> = {}) {}

  reset(): void {
    this.log.appended = [];
    this.log.failure = undefined;
    this.log.queuedPoints = 0;
    this.log.hold = undefined;
    this.registry.ids.clear();
    this.registry.sources.clear();
    this.backlog.points = 0;
    this.events = [];
    this.testSends = [];
    this.counted.clear();
  }

  /** A module with everything that IngestController needs; to be imported into `createEdgeApp`. */
  get module(): DynamicModule {
    const providers = [
      { provide: POINT_LOG, useValue: this.log },
      { provide: MetricRegistry, useValue: this.registry },
      {
        provide: OrgService,
        useValue: { getAnalysisVariables: async () => ({ retention2PeriodSeconds: RETENTION_2_SECONDS }) },
      },
      { provide: Onboarding, useValue: { advance: async () => undefined } },
      // The instance that guards outside of this module are given too.
      {
        provide: IngestConfig,
        inject: [LoadedConfig],
        useFactory: (loaded: LoadedConfig) => Object.assign(loaded.get(IngestConfig), this.given),
      },
      { provide: DetectionBacklog, useValue: this.backlog },
      { provide: EventRecorder, useValue: { record: (event: OrgEvent) => void this.events.push(event) } },
      { provide: TestSends, useValue: { record: async (...send: unknown[]) => void this.testSends.push(send) } },
      {
        provide: PointCounts,
        useValue: {
          record: (orgId: number, points: number) =>
            void this.counted.set(orgId, (this.counted.get(orgId) ?? 0) + points),
        },
      },
      BodyBudget,
      BodyParser,
      ProtocolSettings,
      InfluxClients,
      IngestAdmission,
      IngestGate,
      IngestLimits,
      IngestReceiver,
      IngestSenders,
      IngestService,
      IngestStorage,
      IngestTelemetry,
      ParserThread,
      PointWriter,
      RefusalEvents,
      StoredPoints,
      TokenStrategy,
    ];
    return { module: FakeIngestModule, providers, exports: providers };
  }
}

@Module({})
class FakeIngestModule {}
