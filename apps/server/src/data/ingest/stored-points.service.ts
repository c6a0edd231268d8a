import { Injectable, Logger } from '@nestjs/common';
import { OnboardingService } from '../../people/progress/onboarding.service.js';
import { PointCountsService } from '../point-count/point-counts.service.js';
import { type Admitted } from './ingest-admission.service.js';
import { type IngestProtocol, IngestTelemetryService } from './ingest-telemetry.service.js';
import { type PointSender } from './ingest.types.js';
import { RefusalEventsService } from './refusal-events.service.js';

/** Work that follows stored points: figures, events about refused points, the first step of the onboarding. */
@Injectable()
export class StoredPointsService {
  private readonly logger = new Logger(StoredPointsService.name);
  private readonly onboarded = new Set<number>();

  constructor(
    private readonly telemetry: IngestTelemetryService,
    private readonly refusalEvents: RefusalEventsService,
    private readonly pointCounts: PointCountsService,
    private readonly onboarding: OnboardingService,
  ) {}

  /** Never rejects. */
  async note({ caller }: PointSender, protocol: IngestProtocol, { orgId, batch, refusals }: Admitted): Promise<void> {
    this.telemetry.count(protocol, batch.count, refusals);
    this.refusalEvents.recordRefusals(orgId, protocol, refusals);
    this.pointCounts.record(orgId, batch.count);
    if (batch.count > 0 && caller.org.onboardingStatusId === 1) await this.noteFirstData(orgId);
  }

  /** Once per organisation and process; the points are stored, so nothing here may fail the request. */
  private async noteFirstData(orgId: number): Promise<void> {
    if (this.onboarded.has(orgId)) return;
    this.onboarded.add(orgId);
    try {
      await this.onboarding.advance(orgId, 100);
    } catch (error) {
      this.onboarded.delete(orgId);
      this.logger.warn(`The onboarding status of organisation ${String(orgId)} could not be raised`, error);
    }
  }
}
