import { START } from '../../../../../test/support/hand-clock.js';
import { IdentityApp } from '../../../../../test/support/identity-app.js';
import { KnownClientsService } from './session-entry.service.js';

const DAY = 86_400;

let identity: IdentityApp;
let clients: KnownClientsService;
let userId: number;

beforeAll(async () => {
  identity = await IdentityApp.create();
  clients = identity.get(KnownClientsService);
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.clock.seconds = START;
  userId = (await identity.aUser((await identity.anOrg()).id)).id;
});

describe('KnownClientsService', () => {
  it('remembers a client for 180 days after its last login', async () => {
    const id = await clients.remember(undefined, userId);
    identity.clock.seconds = START + 100 * DAY;
    expect(await clients.isKnown(id, userId)).toBe(true);
    expect(await clients.remember(id, userId)).toBe(id);
    identity.clock.seconds = START + 279 * DAY;
    expect(await clients.isKnown(id, userId)).toBe(true);
    identity.clock.seconds = START + 280 * DAY;
    expect(await clients.isKnown(id, userId)).toBe(false);
  });

  it('remembers a client only for the user who logged in', async () => {
    const other = (await identity.aUser((await identity.anOrg()).id)).id;
    const id = await clients.remember(undefined, userId);
    expect(await clients.isKnown(id, other)).toBe(false);
    expect(await clients.remember(id, other)).not.toBe(id);
    expect(await clients.isKnown(id, userId)).toBe(true);
    expect(await clients.isKnown(undefined, userId)).toBe(false);
  });

  it('keeps the 50 most recently used clients of a user', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 50; i++) {
      identity.clock.seconds = START + i;
      ids.push(await clients.remember(undefined, userId));
    }
    await clients.remember(ids[0], userId);
    ids.push(await clients.remember(undefined, userId));
    const known = await Promise.all(ids.map((id) => clients.isKnown(id, userId)));
    expect(ids.filter((_, i) => !known[i])).toEqual([ids[1]]);
  });

  it('erases expired clients', async () => {
    await clients.remember(undefined, userId);
    identity.clock.seconds = START + 181 * DAY;
    await clients.forgetExpired();
    const rows: unknown = await identity.database.dataSource.query('SELECT 1 FROM known_client WHERE user_id = $1', [
      userId,
    ]);
    expect(rows).toEqual([]);
  });
});
