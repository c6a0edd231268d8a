import { DEFAULT_ANALYSIS_VARIABLES } from '../../../../../test/support/analysis-variables.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { Transactions } from '../../common/database/transactions.js';
import { OrgNotFoundError } from './org.errors.js';
import { OrgService } from './org.service.js';

let identity: IdentityApp;
let orgs: OrgService;

beforeAll(async () => {
  identity = await IdentityApp.create();
  orgs = identity.get(OrgService);
});
afterAll(() => identity.close());

describe('create', () => {
  it('creates an organisation with the defaults', async () => {
    const org = await orgs.create({ name: 'Example Ltd' });
    expect(await orgs.getById(org.id)).toMatchObject({
      name: 'Example Ltd',
      timezone: 'UTC',
      isDemo: false,
      onboardingStatusId: 1,
      alertsMutedUntil: null,
      defaultChatChannel: '',
    });
    expect(await orgs.getAnalysisVariables(org.id)).toMatchObject(DEFAULT_ANALYSIS_VARIABLES);
  });

  it('creates nothing when the transaction fails', async () => {
    const before = (await orgs.listAll()).length;
    const failing = identity.get(Transactions).run(async (tx) => {
      await orgs.create({ name: 'Never' }, tx);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await orgs.listAll()).toHaveLength(before);
  });
});

describe('getById', () => {
  it('throws for an unknown organisation', async () => {
    await expect(orgs.getById(999_999)).rejects.toThrow(OrgNotFoundError);
    expect(await orgs.find(999_999)).toBeNull();
  });
});

describe('advanceOnboarding', () => {
  it('raises the status and never lowers it', async () => {
    const { id } = await identity.anOrg();
    expect(await orgs.advanceOnboarding(id, 200)).toBe(true);
    expect(await orgs.advanceOnboarding(id, 100)).toBe(false);
    expect(await orgs.advanceOnboarding(id, 200)).toBe(false);
    expect((await orgs.getById(id)).onboardingStatusId).toBe(200);
    expect(await orgs.advanceOnboarding(id, 300)).toBe(true);
  });

  it('does not change other organisations', async () => {
    const [one, other] = [await identity.anOrg(), await identity.anOrg()];
    await orgs.advanceOnboarding(one.id, 300);
    expect((await orgs.getById(other.id)).onboardingStatusId).toBe(1);
  });
});

describe('update', () => {
  it('changes only the given fields of the given organisation', async () => {
    const [one, other] = [await identity.anOrg({ name: 'One' }), await identity.anOrg({ name: 'Other' })];
    const until = new Date('2030-01-01T00:00:00Z');
    await orgs.update(one.id, { timezone: 'Europe/Oslo', alertsMutedUntil: until, retention1PeriodSeconds: 86_400 });
    await orgs.setMetricLimit(one.id, 500);
    expect(await orgs.getById(one.id)).toEqual({
      ...one,
      timezone: 'Europe/Oslo',
      alertsMutedUntil: until,
      retention1PeriodSeconds: 86_400,
      metricLimit: 500,
    });
    expect(await orgs.getById(other.id)).toEqual(other);
  });

  it('seals the chat token, and removes it', async () => {
    const { id } = await identity.anOrg();
    await orgs.update(id, { chatApiToken: 'xoxb-secret' });
    const connected = await orgs.getById(id);
    expect(connected.chatApiTokenSealed).not.toContain('xoxb');
    expect(orgs.chatApiToken(connected)).toBe('xoxb-secret');
    await orgs.update(id, { chatApiToken: null });
    expect(orgs.chatApiToken(await orgs.getById(id))).toBe('');
  });

  it('throws for an unknown organisation, even without changes', async () => {
    await expect(orgs.update(999_999, { name: 'x' })).rejects.toThrow(OrgNotFoundError);
    await expect(orgs.update(999_999, {})).rejects.toThrow(OrgNotFoundError);
  });
});

describe('recipients', () => {
  it('replaces only the given lists', async () => {
    const { id } = await identity.anOrg();
    const [ann, bob] = [await identity.aUser(id), await identity.aUser(id)];
    await orgs.addRecipient(id, ann.id, ['email', 'sms', 'admin_email']);
    const lists = { email: [bob.id, bob.id], sms: [] };
    await identity.get(Transactions).run((tx) => orgs.setRecipients(id, lists, tx));
    expect(await orgs.listRecipients(id)).toMatchObject({ email: [bob.id], sms: [], admin_email: [ann.id] });
  });

  it('removes a user from some or all lists', async () => {
    const { id } = await identity.anOrg();
    const [ann, bob] = [await identity.aUser(id), await identity.aUser(id)];
    for (const user of [ann, bob]) await orgs.addRecipient(id, user.id, ['email', 'sms', 'admin_sms']);
    await orgs.removeRecipients(id, ann.id, { lists: ['sms', 'admin_sms'] });
    await orgs.removeRecipients(id, bob.id);
    expect(await orgs.listRecipients(id)).toMatchObject({ email: [ann.id], sms: [], admin_sms: [] });
  });

  it('keeps one entry per user and list', async () => {
    const { id } = await identity.anOrg();
    const [ann, bob] = [await identity.aUser(id), await identity.aUser(id)];
    await orgs.addRecipient(id, bob.id, ['email']);
    await orgs.addRecipient(id, ann.id, ['email', 'admin_sms']);
    await orgs.addRecipient(id, ann.id, ['email']);
    expect(await orgs.listRecipients(id)).toEqual({
      email: [ann.id, bob.id],
      admin_email: [],
      chat_mentions: [],
      sms: [],
      admin_sms: [ann.id],
    });
  });

  it('drops a deleted user', async () => {
    const { id } = await identity.anOrg();
    const ann = await identity.aUser(id);
    await orgs.addRecipient(id, ann.id, ['email', 'sms']);
    await identity.database.dataSource.query('DELETE FROM user_account WHERE id = $1', [ann.id]);
    expect((await orgs.listRecipients(id)).email).toEqual([]);
  });
});

describe('lock', () => {
  it('throws for an unknown organisation', async () => {
    await expect(identity.get(Transactions).run((tx) => orgs.lock(999_999, tx))).rejects.toThrow(OrgNotFoundError);
  });
});
