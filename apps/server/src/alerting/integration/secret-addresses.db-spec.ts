import { IntegrationApp } from '../../../../../test/support/integration-app.js';
import { People, type Person } from '../../../../../test/support/people.js';
import { START } from '../../../../../test/support/hand-clock.js';
import { masked as maskedSecret } from '../../common/secrets/secrets.js';
import { ParamProblem } from '../../common/validation/param-kind.js';
import { IntegrationSettingsService } from './integration-settings.service.js';
import { boundSecrets } from './secret-addresses.js';
import { type ServiceDefinition } from './service-definition.types.js';
import { type AnyField, type FieldValue } from './service-fields.types.js';
import { type ServiceId, SERVICES } from './services.types.js';

let app: IntegrationApp;
let people: People;
let orgId: number;
let ann: Person;

beforeAll(async () => {
  app = await IntegrationApp.create();
  people = new People(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  orgId = (await app.anOrg()).id;
  ann = await people.admin(orgId);
});

/** Values for all kinds of fields: each field uses the first two that it accepts. */
const CANDIDATES: readonly FieldValue[] = [
  `whsec_${'QUJD'.repeat(8)}`,
  `whsec_${'REVG'.repeat(8)}`,
  'https://one.example.org/hook',
  'https://other.example.org/hook',
  'a'.repeat(32),
  'b'.repeat(32),
  '+15005550006',
  'ops@example.org',
  2525,
  2526,
];

/** Two different values that the field accepts. */
function valuesFor(field: AnyField): [FieldValue, FieldValue] {
  if (field.leadsTo === 'host') return ['one.example.org', 'other.example.org'];
  if (field.options.length > 1) return [field.options[0]!, field.options[1]!];
  const context = { now: START, write: true, refuseUnknown: true };
  const isAllowed = (value: FieldValue): boolean => !(field.kind.convert(value, context) instanceof ParamProblem);
  const allowed = CANDIDATES.filter(isAllowed);
  return [allowed[0]!, allowed[1] ?? allowed[0]!];
}

const SECRET_SERVICES = SERVICES.map((service): ServiceDefinition => service as ServiceDefinition).filter(
  (service) => boundSecrets(service).length > 0,
);

/** Each part of the address to which a service sends secrets. */
const CASES = SECRET_SERVICES.flatMap((service) =>
  Object.entries(service.orgFields)
    .filter(([, { leadsTo, isAddressPart, type }]) => isAddressPart || (leadsTo !== null && type !== 'secret'))
    .map(([part]) => ({ id: service.id as ServiceId, part, service })),
);

it('the cases cover all services with an address and a secret', () => {
  expect(SECRET_SERVICES.map(({ id }) => id)).toEqual(['email', 'sms', 'pagerduty', 'alertmanager', 'webhook']);
});

describe.each(CASES)('secrets of $id, whose address includes $part', ({ id, part, service }) => {
  const secrets = boundSecrets(service);
  const put = (body: object): ReturnType<People['call']> =>
    people.call('put', `/integration/${id}/orgproperties`, ann.session, body);
  const stored = (): Promise<Record<string, unknown> | null> => app.get(IntegrationSettingsService).of(orgId, id);
  /** The masked secrets, as the API returns them. */
  const masked = (): Record<string, string> =>
    Object.fromEntries(secrets.map((name) => [name, maskedSecret(first[name] as string)]));
  const isGenerated = (name: string): boolean => service.generatedSecrets?.includes(name) === true;
  let elsewhere: FieldValue;
  let first: Record<string, FieldValue>;

  beforeEach(async () => {
    const fields = Object.entries(service.orgFields).filter(([, { type }]) => type !== 'object' && type !== 'list');
    first = Object.fromEntries(
      fields.filter(([, { type }]) => type !== 'bool').map(([name, field]) => [name, valuesFor(field)[0]]),
    );
    elsewhere = valuesFor(service.orgFields[part]!)[1];
    expect((await put(first)).status).toBe(200);
    expect(await stored()).toMatchObject(first);
  });

  it('are removed and reported, or generated again, when the address changes', async () => {
    const required = secrets.filter((name) => !isGenerated(name));
    const { status, data } = await put({ [part]: elsewhere });
    expect(status).toBe(200);
    expect(data.details).toEqual(
      required.map((field) => ({
        field,
        code: 'secret_needed',
        message: `${field} was stored for another address and is removed; give it again`,
      })),
    );
    const after = await app.stored(orgId, id);
    expect(after[part]).toBe(elsewhere);
    for (const name of secrets) expect(after[name]).not.toEqual(first[name]);
    for (const name of required) expect(after).not.toHaveProperty(name);
    expect(data.service.connected).toBe((await stored()) !== null);
  });

  it('are kept when the address stays and their masked values are sent back', async () => {
    expect((await put({ [part]: first[part], ...masked() })).status).toBe(200);
    expect(await stored()).toMatchObject(first);
  });

  it('are not kept at a new address by sending back their masked values', async () => {
    const { data } = await put({ [part]: elsewhere, ...masked() });
    const needed = secrets.filter((name) => !isGenerated(name));
    expect(data.details.map(({ field }: { field: string }) => field)).toEqual(needed);
    for (const name of secrets) expect((await app.stored(orgId, id))[name]).not.toEqual(first[name]);
  });

  it('are kept when they are sent in full, or when only the spelling of the address changes', async () => {
    const again = Object.fromEntries(secrets.map((name) => [name, first[name]]));
    expect((await put({ [part]: elsewhere, ...again })).status).toBe(200);
    expect(await stored()).toMatchObject({ ...first, [part]: elsewhere });
    const same = typeof elsewhere === 'string' ? elsewhere.replace('example', 'EXAMPLE') : elsewhere;
    expect((await put({ [part]: same })).status).toBe(200);
    expect(await stored()).toMatchObject(again);
  });

  it('are removed when the address is removed', async () => {
    const { leadsTo, default: standard } = service.orgFields[part]!;
    if (leadsTo === null || standard !== null) return;
    // A login requires both user name and password.
    const login = id === 'email' ? { smtp_username: null } : {};
    expect((await put({ ...login, [part]: null })).status).toBe(200);
    expect(Object.keys(await app.stored(orgId, id)).filter((name) => secrets.includes(name))).toEqual([]);
  });
});

it('a webhook at a new address gets a new secret, and the previous one no longer signs', async () => {
  const put = (body: object): ReturnType<People['call']> =>
    people.call('put', '/integration/webhook/orgproperties', ann.session, body);
  await put({ url: 'https://one.example.org/hook' });
  await put({ secret: '' });
  expect(await app.stored(orgId, 'webhook')).toHaveProperty('previous_secret');
  const { data } = await put({ url: 'https://other.example.org/hook' });
  expect(data.properties.secret).toMatch(/^whsec_/);
  expect(await app.stored(orgId, 'webhook')).not.toHaveProperty('previous_secret');
});
