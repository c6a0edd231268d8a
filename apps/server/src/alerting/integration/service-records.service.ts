import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type AlertChannel } from '#libs/alerting';
import { Clock } from '../../common/clock.js';
import { secondsOf } from '../../common/time.js';
import { PlanDirectoryService } from '../../people/billing/plan-directory.service.js';
import { ChannelRegistryService } from '../channel/channel-registry.service.js';
import { type ServiceDto } from './dto/integration.dto.js';
import { type IntegrationEntity } from './integration.entity.js';
import { IntegrationRepository } from './integration.repository.js';
import { IntegrationSettingsService } from './integration-settings.service.js';
import { type ServiceDefinition } from './service-definition.types.js';
import { type ServiceId, SERVICES } from './services.types.js';

const SOURCES_KEPT_SECONDS = 60;
const MAX_KEPT = 1000;

/** Services in the form of their records. */
@Injectable()
export class ServiceRecordsService {
  private readonly sources: LRUCache<number, readonly string[]>;

  constructor(
    private readonly settings: IntegrationSettingsService,
    private readonly integrations: IntegrationRepository,
    private readonly channels: ChannelRegistryService,
    private readonly plans: PlanDirectoryService,
    clock: Clock,
  ) {
    const perf = { now: () => clock.now() * 1000 };
    this.sources = new LRUCache({ max: MAX_KEPT, ttl: SOURCES_KEPT_SECONDS * 1000, ttlResolution: 0, perf });
  }

  async listAll(orgId: number): Promise<ServiceDto[]> {
    const rows = new Map((await this.integrations.listAll(orgId)).map((row) => [row.serviceId, row]));
    return Promise.all(SERVICES.map((service) => this.toDto(orgId, service, rows.get(service.id))));
  }

  async get(orgId: number, service: ServiceDefinition): Promise<ServiceDto> {
    return this.toDto(orgId, service, (await this.integrations.find(orgId, service.id)) ?? undefined);
  }

  isTestable({ id, category }: ServiceDefinition): boolean {
    return category === 'alert' && this.channels.find(id as AlertChannel) !== undefined;
  }

  private async toDto(
    orgId: number,
    service: ServiceDefinition,
    row: IntegrationEntity | undefined,
  ): Promise<ServiceDto> {
    const { id, name, provider, category, description } = service;
    return {
      id,
      name,
      provider,
      category,
      connected: await this.isConnected(orgId, service),
      has_org_config: Object.keys(service.orgFields).length > 0,
      has_user_config: Object.keys(service.userFields).length > 0,
      testable: this.isTestable(service),
      description,
      last_ok_timestamp: row?.lastOkAt == null ? null : secondsOf(row.lastOkAt),
      last_error: row?.lastError ?? null,
    };
  }

  private async isConnected(orgId: number, { id, category }: ServiceDefinition): Promise<boolean> {
    if (category === 'ingest') return (await this.sourcesOf(orgId)).includes(id);
    if (category === 'billing') return this.plans.isConfigured;
    return (await this.settings.of(orgId, id as ServiceId)) !== null;
  }

  private async sourcesOf(orgId: number): Promise<readonly string[]> {
    const kept = this.sources.get(orgId);
    if (kept !== undefined) return kept;
    const found = await this.integrations.sourcesOf(orgId);
    this.sources.set(orgId, found);
    return found;
  }
}
