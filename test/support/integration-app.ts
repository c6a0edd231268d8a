import { type AlertChannel, type AlertContent, type AlertItem } from '#libs/alerting';
import { ChannelRegistryService } from '../../apps/server/src/alerting/channel/channel-registry.service.js';
import {
  type Channel,
  type ChannelMessage,
  type ChannelReceipt,
} from '../../apps/server/src/alerting/channel/channel.types.js';
import { findService } from '../../apps/server/src/alerting/integration/service-lookup.functions.js';
import { IntegrationModule } from '../../apps/server/src/alerting/integration/integration.module.js';
import { type StoredValues } from '../../apps/server/src/alerting/integration/service-definition.types.js';
import { SettingsStoreService } from '../../apps/server/src/alerting/integration/settings-store.service.js';
import { Transactions } from '../../apps/server/src/common/database/transactions.js';
import { OrgService } from '../../apps/server/src/people/org/org.service.js';
import { type AreaAppOptions } from './area-app.js';
import { HandClock, START } from './hand-clock.js';
import { IdentityApp } from './identity-app.js';
import { AccountModule } from '../../apps/server/src/people/account/account.module.js';
import { OrganisationModule } from '../../apps/server/src/views/organisation/organisation.module.js';
import { SessionModule } from '../../apps/server/src/people/session/session.module.js';
import { TokenModule } from '../../apps/server/src/people/token/token.module.js';

/** Integrations and channels, with the areas for the people who set them up. */
export class IntegrationApp extends IdentityApp {
  static override async create({
    env,
    clock = new HandClock(),
    ...options
  }: AreaAppOptions = {}): Promise<IntegrationApp> {
    const areas = [SessionModule, TokenModule, AccountModule, OrganisationModule, IntegrationModule];
    // Several organisations share the database of a test, and stand-ins listen on the loopback interface.
    const all = {
      PLUMBLINE_OUTGOING: 'any',
      LOGIN_CODE: 'off',
      PLUMBLINE_INGEST_URL: 'https://ingest.example.org',
      ...env,
    };
    return new IntegrationApp(await this.start(areas, { ...options, env: all, clock }), clock);
  }

  async connect(orgId: number, serviceId: string, values: StoredValues): Promise<void> {
    await this.get(Transactions).run(async (tx) => {
      await this.get(OrgService).lock(orgId, tx);
      await this.get(SettingsStoreService).write(orgId, findService(serviceId)!, values, tx);
    });
  }

  /** The stored values, with secrets decrypted. */
  stored(orgId: number, serviceId: string): Promise<StoredValues> {
    return this.get(SettingsStoreService).read(orgId, findService(serviceId)!);
  }

  channel(id: AlertChannel): Channel {
    return this.get(ChannelRegistryService).find(id)!;
  }

  send(id: AlertChannel, message: ChannelMessage): Promise<ChannelReceipt> {
    return this.channel(id).send(message, new AbortController().signal);
  }
}

export const anItem = (overrides: Partial<AlertItem> = {}): AlertItem => ({
  metricId: 455,
  metric: 'http_requests_total{job="api"}',
  labels: { job: 'api', 'service.name': 'shop' },
  anomalyId: 7120,
  kind: 'spike',
  severity: 82,
  severityLabel: 'critical',
  start: START - 120,
  end: null,
  value: 8421.5,
  lower: 3350.5,
  upper: 4870,
  unit: null,
  text: '8421.5 where 3350.5 to 4870 is usual.',
  ...overrides,
});

export const aContent = (orgId: number, overrides: Partial<AlertContent> = {}): AlertContent => ({
  kind: 'anomaly',
  phase: 'opened',
  isTest: false,
  title: 'http_requests_total is far above its range',
  summary: 'It is twice as high as usual since 08:51.',
  severity: 82,
  severityLabel: 'critical',
  start: START - 120,
  end: null,
  timezone: 'Europe/Oslo',
  items: [anItem()],
  metricsCount: 1,
  origin: null,
  facts: [],
  links: {
    console: 'https://plumbline.example.org/incident/41',
    act: null,
    graph: 'https://plumbline.example.org/api/graph',
    image: 'https://plumbline.example.org/api/image.png',
  },
  org: { id: orgId, name: 'Example Ltd' },
  watcher: { id: 5, name: 'API errors' },
  subject: { type: 'incident', id: '41' },
  event: { type: 'incident.opened', data: { incident: { id: 41 } } },
  ...overrides,
});

export const aMessage = (
  orgId: number,
  content: Partial<AlertContent> = {},
  overrides: Partial<ChannelMessage> = {},
): ChannelMessage => ({
  id: '7b1c1f5e-8f0c-4a52-9a1a-0f2f5a3b9c11',
  orgId,
  content: aContent(orgId, content),
  destination: { channel: 'webhook', recipient: '', userId: null, mentions: [] },
  thread: null,
  createdAt: START,
  ...overrides,
});
