import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RecurringWork } from '../../../common/recurring-work.js';
import { type OrgProtocolSetting, ProtocolSettingsService } from '../../../data/ingest/protocol-settings.service.js';
import { complete } from '../integration-settings.service.js';
import { IntegrationRepository } from '../integration.repository.js';
import { type SettingsOf, type StoredValues } from '../service-definition.types.js';
import { OPENTELEMETRY } from './opentelemetry.service-definition.js';
import { PROMETHEUS } from './prometheus.service-definition.js';

/** A change reaches the processes that accept points within this time. */
const REFRESH_MS = 5000;

/** Passes the settings of organisations for Prometheus and OpenTelemetry to the code that reads bodies. */
@Injectable()
export class IngestSettingsService extends RecurringWork implements OnModuleInit {
  constructor(
    private readonly integrations: IntegrationRepository,
    private readonly protocols: ProtocolSettingsService,
  ) {
    super({ everyMs: REFRESH_MS, failure: 'Settings of protocols could not be read again', role: 'ingest' });
  }

  /** No points are accepted before the settings are known. */
  async onModuleInit(): Promise<void> {
    await this.run();
  }

  async run(): Promise<void> {
    const rows = await this.integrations.listOfEveryOrg([PROMETHEUS.id, OPENTELEMETRY.id]);
    this.protocols.replaceAll(rows.map(({ orgId, serviceId, values }) => settingOf(orgId, serviceId, values)));
  }
}

function settingOf(orgId: number, serviceId: string, values: StoredValues): OrgProtocolSetting {
  if (serviceId === PROMETHEUS.id) {
    const { histograms: mode, quantiles } = complete(PROMETHEUS, values) as SettingsOf<typeof PROMETHEUS>;
    return { orgId, protocol: 'prometheus', histograms: { mode, quantiles }, resourceAttributes: [] };
  }
  const settings = complete(OPENTELEMETRY, values) as SettingsOf<typeof OPENTELEMETRY>;
  const { histograms: mode, quantiles, resource_attributes: resourceAttributes } = settings;
  return { orgId, protocol: 'otlp', histograms: { mode, quantiles }, resourceAttributes };
}
