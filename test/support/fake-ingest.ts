import { type DynamicModule, Module } from '@nestjs/common';
import { type PointBatch, type RecordKind } from '#libs/point-log';
import { type MetricMetadata, type SeriesHeader } from '#libs/protocols';
import { LoadedConfig } from '../../apps/server/src/common/config/load-config.js';
import { TokenStrategy } from '../../apps/server/src/common/auth/strategies/token.strategy.js';
import { DetectionBacklogService } from '../../apps/server/src/data/detection-backlog/detection-backlog.service.js';
import { EventRecorderService } from '../../apps/server/src/platform/event/event-recorder.service.js';
import { type OrgEvent } from '../../apps/server/src/platform/event/event.types.js';
import { BodyBudgetService } from '../../apps/server/src/data/ingest/body-budget.service.js';
import { BodyParserService, ParserThreadService } from '../../apps/server/src/data/ingest/body-parser.service.js';
import { InfluxClientsService } from '../../apps/server/src/data/ingest/influx-clients.service.js';
import { IngestAdmissionService } from '../../apps/server/src/data/ingest/ingest-admission.service.js';
import { IngestGateService } from '../../apps/server/src/data/ingest/ingest-gate.service.js';
import { IngestLimitsService } from '../../apps/server/src/data/ingest/ingest-limits.service.js';
import { IngestReceiverService } from '../../apps/server/src/data/ingest/ingest-receiver.service.js';
import { IngestSendersService } from '../../apps/server/src/data/ingest/ingest-senders.service.js';
import { IngestStorageService } from '../../apps/server/src/data/ingest/ingest-storage.service.js';
import { IngestTelemetryService } from '../../apps/server/src/data/ingest/ingest-telemetry.service.js';
import { IngestConfig } from '../../apps/server/src/data/ingest/ingest.config.js';
import { IngestService, StoredPointsService } from '../../apps/server/src/data/ingest/ingest.service.js';
import { ProtocolSettingsService } from '../../apps/server/src/data/ingest/protocol-settings.service.js';
import { PointWriterService } from '../../apps/server/src/data/ingest/point-writer.service.js';
import { RefusalEventsService } from '../../apps/server/src/data/ingest/refusal-events.service.js';
import { TestSendsService } from '../../apps/server/src/data/ingest/test-sends.service.js';
import {
  MetricRegistryService,
  type ResolvedSeries,
} from '../../apps/server/src/data/metric/metric-registry.service.js';
import { OrgService } from '../../apps/server/src/people/org/org.service.js';
import { PointCountsService } from '../../apps/server/src/data/point-count/point-counts.service.js';
import { POINT_LOG } from '../../apps/server/src/platform/storage/storage.types.js';
import { OnboardingService } from '../../apps/server/src/people/progress/onboarding.service.js';

export const RETENTION_2_SECONDS = 63_072_000;

/** Records appended batches. */
export class FakeLog {
  appended: { batch: PointBatch; kind: RecordKind }[] = [];
  failure: Error | undefined;
  queuedPoints = 0;
  /** When set, appends wait for this promise. */
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

/**
 * Assigns ids in the order of first use. Names that begin with `over` exceed the quota, those with `excluded` are
 * excluded.
 */
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

/** The dependencies of the ingest area, without a database; call `reset` before every test. */
export class FakeIngest {
  readonly log = new FakeLog();
  readonly registry = new FakeRegistry();
  readonly backlog = { points: 0 };
  events: OrgEvent[] = [];
  testSends: unknown[][] = [];
  /** Counted points by organisation. */
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

  /** A module with all dependencies of IngestController, to be imported into `createEdgeApp`. */
  get module(): DynamicModule {
    const providers = [
      { provide: POINT_LOG, useValue: this.log },
      { provide: MetricRegistryService, useValue: this.registry },
      {
        provide: OrgService,
        useValue: { getAnalysisVariables: async () => ({ retention2PeriodSeconds: RETENTION_2_SECONDS }) },
      },
      { provide: OnboardingService, useValue: { advance: async () => undefined } },
      // The same instance that guards outside of this module get.
      {
        provide: IngestConfig,
        inject: [LoadedConfig],
        useFactory: (loaded: LoadedConfig) => Object.assign(loaded.get(IngestConfig), this.given),
      },
      { provide: DetectionBacklogService, useValue: this.backlog },
      { provide: EventRecorderService, useValue: { record: (event: OrgEvent) => void this.events.push(event) } },
      { provide: TestSendsService, useValue: { record: async (...send: unknown[]) => void this.testSends.push(send) } },
      {
        provide: PointCountsService,
        useValue: {
          record: (orgId: number, points: number) =>
            void this.counted.set(orgId, (this.counted.get(orgId) ?? 0) + points),
        },
      },
      BodyBudgetService,
      BodyParserService,
      ProtocolSettingsService,
      InfluxClientsService,
      IngestAdmissionService,
      IngestGateService,
      IngestLimitsService,
      IngestReceiverService,
      IngestSendersService,
      IngestService,
      IngestStorageService,
      IngestTelemetryService,
      ParserThreadService,
      PointWriterService,
      RefusalEventsService,
      StoredPointsService,
      TokenStrategy,
    ];
    return { module: FakeIngestModule, providers, exports: providers };
  }
}

@Module({})
class FakeIngestModule {}
