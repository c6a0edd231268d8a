import { AreaApp } from '../../../../../test/support/area-app.js';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { OrgService } from '../../people/org/org.service.js';
import { findService } from './service-lookup.functions.js';
import { IntegrationModule } from './integration.module.js';
import { IntegrationSettingsService } from './integration-settings.service.js';
import { type StoredValues } from './service-definition.types.js';
import { type ServiceId } from './services.types.js';
import { SettingsStoreService } from './settings-store.service.js';

class SettingsApp extends AreaApp {
  static async create(env: Record<string, string> = {}): Promise<SettingsApp> {
    const clock = new HandClock();
    return new SettingsApp(await this.start([IntegrationModule], { env, clock }), clock);
  }

  get settings(): IntegrationSettingsService {
    return this.get(IntegrationSettingsService);
  }

  async set(orgId: number, serviceId: ServiceId, values: StoredValues): Promise<void> {
    await this.get(Transactions).run(async (tx) => {
      await this.get(OrgService).lock(orgId, tx);
      await this.get(SettingsStoreService).write(orgId, findService(serviceId)!, values, tx);
    });
  }

  rowsOf(orgId: number): Promise<{ values: object; secrets_sealed: string | null; last_error: string | null }[]> {
    return this.database.dataSource.query('SELECT * FROM integration WHERE org_id = $1', [orgId]);
  }
}

describe('settings of integrations', () => {
  let app: SettingsApp;
  let orgId: number;
  beforeAll(async () => {
    app = await SettingsApp.create();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    orgId = (await app.anOrg()).id;
  });

  it('are null until the required fields are set, then include defaults', async () => {
    expect(await app.settings.of(orgId, 'sms')).toBeNull();
    const set = { account_sid: 'AC1', auth_token: 'secret', from_number: '+15005550006' };
    await app.set(orgId, 'sms', set);
    expect(await app.settings.of(orgId, 'sms')).toEqual({
      ...set,
      api_base_url: 'https://api.twilio.com',
      isOfInstance: false,
    });
  });

  it('keep secrets sealed and bound to their row', async () => {
    await app.set(orgId, 'pagerduty', { routing_key: 'a'.repeat(32) });
    const [row] = await app.rowsOf(orgId);
    expect(JSON.stringify(row)).not.toContain('aaaa');
    const other = (await app.anOrg()).id;
    await app.database.dataSource.query(
      `INSERT INTO integration (org_id, service_id, secrets_sealed) VALUES ($1, 'pagerduty', $2)`,
      [other, row!.secrets_sealed],
    );
    expect(await app.settings.of(other, 'pagerduty')).toBeNull();
  });

  it('read and write the fields of the organisation for chat and Teams', async () => {
    await app.get(OrgService).update(orgId, { chatApiToken: 'xoxb-1', defaultChatChannel: '#ops' });
    expect(await app.settings.of(orgId, 'chat')).toEqual({
      chat_api_token: 'xoxb-1',
      default_chat_channel: '#ops',
      threads: true,
      isOfInstance: false,
    });
    await app.set(orgId, 'chat', { threads: false, default_chat_channel: '#ops' });
    expect(await app.settings.of(orgId, 'chat')).toBeNull();
    await app.set(orgId, 'teams_chat', { teams_chat_webhook: 'https://teams.example.org/x' });
    const org = await app.get(OrgService).getById(orgId);
    expect(app.get(OrgService).chatApiToken(org)).toBe('');
    expect(app.get(OrgService).toDto(org).connected_services).toEqual({ chat: false, teams_chat: true });
    expect(await app.settings.of(orgId, 'teams_chat')).toMatchObject({
      teams_chat_webhook: 'https://teams.example.org/x',
    });
  });

  it('are null for a disabled service', async () => {
    await app.set(orgId, 'webhook', { url: 'https://example.org/hook', enabled: false });
    expect(await app.settings.of(orgId, 'webhook')).toBeNull();
  });

  it('are null for mail without a server', async () => {
    expect(await app.settings.of(orgId, 'email')).toBeNull();
  });

  it('record the outcome of the last message', async () => {
    await app.settings.noteOutcome(orgId, 'webhook', 'HTTP status 500');
    expect(await app.rowsOf(orgId)).toMatchObject([{ last_error: 'HTTP status 500', last_ok_at: null }]);
    await app.settings.noteOutcome(orgId, 'webhook', null);
    expect(await app.rowsOf(orgId)).toMatchObject([{ last_error: null, last_ok_at: expect.any(Date) as Date }]);
  });
});

describe('settings of mail when the operator has a server', () => {
  let app: SettingsApp;
  beforeAll(async () => {
    app = await SettingsApp.create({
      SMTP_HOST: 'mail.example.net',
      MAIL_FROM: 'plumbline@example.net',
      SMTP_USERNAME: 'p',
      SMTP_PASSWORD: 'operators-own',
    });
  });
  afterAll(() => app.close());

  it('are those of the operator until the organisation sets a server', async () => {
    const { id } = await app.anOrg();
    expect(await app.settings.of(id, 'email')).toEqual({
      smtp_host: 'mail.example.net',
      smtp_port: 587,
      smtp_security: 'starttls',
      smtp_username: 'p',
      smtp_password: 'operators-own',
      from_address: 'plumbline@example.net',
      from_name: 'Plumbline',
      isOfInstance: true,
    });
    await app.set(id, 'email', { smtp_host: 'smtp.example.org', from_address: 'ops@example.org' });
    expect(await app.settings.of(id, 'email')).toEqual({
      smtp_host: 'smtp.example.org',
      smtp_port: 587,
      smtp_security: 'starttls',
      smtp_username: null,
      smtp_password: null,
      from_address: 'ops@example.org',
      from_name: null,
      isOfInstance: false,
    });
  });
});
