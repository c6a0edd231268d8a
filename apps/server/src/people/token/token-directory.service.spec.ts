import { Permission } from '#libs/contracts';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { SecretKey } from '../../common/secrets/secret-key.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { DeletedOrgsService } from '../org/deleted-orgs.service.js';
import { TokenDirectoryService } from './token-directory.service.js';
import { type TokenCredential, type TokenRepository } from './token.repository.js';

const REF = 7;
const TOKEN = `pl_${'a'.repeat(43)}`;
const OTHER = `pl_${'b'.repeat(43)}`;

/** The directory with a table in memory that counts look-ups and answers on demand. */
function aDirectory(credential: Partial<TokenCredential> = {}) {
  const clock = new HandClock(1_760_000_000, 0);
  const secrets = new Secrets(SecretKey.generate());
  const rows = new Map<string, TokenCredential>();
  const questions: string[] = [];
  let gate: Promise<void> = Promise.resolve();
  const tokens = {
    findCredential: async ([hash]: readonly [Buffer, ...Buffer[]]) => {
      questions.push(hash.toString('hex'));
      const found = rows.get(hash.toString('hex')) ?? null;
      await gate;
      return found;
    },
    noteUse: async () => undefined,
  } as unknown as TokenRepository;
  const deletedOrgs = new DeletedOrgsService();
  const directory = new TokenDirectoryService(tokens, secrets, clock, deletedOrgs);
  const key = directory.hash(TOKEN).toString('hex');
  rows.set(key, {
    ref: REF,
    permissions: Permission.Ingest,
    validUntil: null,
    orgId: 12,
    timezone: 'Europe/Oslo',
    onboardingStatusId: 300,
    ...credential,
  });
  const remove = () => rows.delete(key);
  const hold = () => {
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => (open = resolve));
    return open;
  };
  return { clock, deletedOrgs, directory, questions, remove, hold };
}

describe('TokenDirectoryService', () => {
  it('returns the caller of a token', async () => {
    const { directory } = aDirectory();
    expect(await directory.find(TOKEN)).toEqual({
      kind: 'token',
      org: { id: 12, timezone: 'Europe/Oslo', onboardingStatusId: 300 },
      permissions: Permission.Ingest,
      tokenRef: 7,
    });
  });

  it('looks up a token once for many requests, including concurrent ones', async () => {
    const { directory, questions } = aDirectory();
    await Promise.all(Array.from({ length: 50 }, () => directory.find(TOKEN)));
    await directory.find(TOKEN);
    expect(questions).toHaveLength(1);
  });

  it('notices within 5 seconds that another process removed a token', async () => {
    const { clock, directory, remove } = aDirectory();
    await directory.find(TOKEN);
    remove();
    clock.seconds += 4.9;
    expect(await directory.find(TOKEN)).toBe('unknown');
  });

  it('notices immediately that this process removed a token', async () => {
    const { directory, remove } = aDirectory();
    await directory.find(TOKEN);
    remove();
    directory.forget(REF);
    expect(await directory.find(TOKEN)).toBe('unknown');
  });

  it('notices immediately that this process deleted the organisation, without a look-up', async () => {
    const { deletedOrgs, directory, questions } = aDirectory();
    expect(await directory.find(TOKEN)).toMatchObject({ kind: 'token' });
    deletedOrgs.record(12);
    expect(await directory.find(TOKEN)).toBe('unknown');
    expect(questions).toHaveLength(1);
  });

  it('does not cache a look-up that was running when the token was removed', async () => {
    const { directory, remove, hold } = aDirectory();
    const open = hold();
    const early = directory.find(TOKEN);
    remove();
    directory.forget(REF);
    open();
    await early;
    expect(await directory.find(TOKEN)).toBe('unknown');
  });

  it('checks the expiry of a cached token', async () => {
    const { clock, directory } = aDirectory({ validUntil: new Date(1_760_000_002_000) });
    expect(await directory.find(TOKEN)).toMatchObject({ kind: 'token' });
    clock.seconds += 2;
    expect(await directory.find(TOKEN)).toBe('expired');
  });

  it('caches unknown tokens', async () => {
    const { directory, questions } = aDirectory();
    expect(await directory.find(OTHER)).toBe('unknown');
    expect(await directory.find(OTHER)).toBe('unknown');
    expect(questions).toHaveLength(1);
  });

  it.each(['', 'pl_', 'pl_short', `pl_${'a'.repeat(44)}`, `PL_${'a'.repeat(43)}`, `pl_${'a'.repeat(42)}!`])(
    'does not look up %j',
    async (text) => {
      const { directory, questions } = aDirectory();
      expect(await directory.find(text)).toBe('unknown');
      expect(questions).toHaveLength(0);
    },
  );

  it('rejects all concurrent look-ups when one fails', async () => {
    const { directory } = aDirectory();
    const broken = new TokenDirectoryService(
      { findCredential: () => Promise.reject(new Error('the database is away')) } as unknown as TokenRepository,
      new Secrets(SecretKey.generate()),
      new HandClock(1_760_000_000, 0),
      new DeletedOrgsService(),
    );
    const both = await Promise.allSettled([broken.find(TOKEN), broken.find(TOKEN)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await directory.find(TOKEN)).toMatchObject({ kind: 'token' });
  });

  it('records uses, except those of expired tokens', async () => {
    const { clock, directory } = aDirectory({ validUntil: new Date(1_760_000_001_000) });
    await directory.find(TOKEN);
    clock.seconds += 1;
    await directory.find(TOKEN);
    expect(directory.uses.noted(7)).toBe(1_760_000_000);
  });
});
