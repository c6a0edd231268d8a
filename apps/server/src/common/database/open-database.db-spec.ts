import { createEmptyDatabase } from '../../../../../test/support/database.js';
import { checkServer, checkVersion, OldServerError, openDatabase } from './open-database.js';

describe('openDatabase', () => {
  let url: string;
  let drop: () => Promise<void>;
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);

  beforeAll(async () => {
    ({ url, drop } = await createEmptyDatabase());
  });
  afterAll(() => drop());
  beforeEach(() => {
    lines.length = 0;
  });

  it('uses the server of DATABASE_URL, and does not stop it', async () => {
    const config = { url, connectTimeoutSeconds: 5 };

    const database = await openDatabase({ config, dataFolder: '/nowhere', log });
    await database.stop();

    expect(database).toMatchObject({ url, isEmbedded: false });
    await expect(checkServer(url, 5, log)).resolves.toBeUndefined();
  });

  it('names the server without the password when it cannot be used', async () => {
    const wrong = new URL(url);
    wrong.username = 'nobody_of_this_name';
    wrong.password = 'not-the-password';

    const failing = checkServer(wrong.href, 5, log);

    await expect(failing).rejects.toThrow(
      `The database at ${wrong.host}${wrong.pathname} (DATABASE_URL) cannot be used`,
    );
    await expect(failing).rejects.not.toThrow(/not-the-password/);
  });

  it('waits for a server that does not answer yet, and reports that once', async () => {
    // PostgreSQL never listens on port 1.
    const failing = checkServer('postgres://nobody@127.0.0.1:1/none', 5, log, 2);

    await expect(failing).rejects.toThrow(/ECONNREFUSED/);
    expect(lines).toEqual(['Waiting for the database at 127.0.0.1:1/none']);
  });

  it('rejects servers older than PostgreSQL 15', () => {
    expect(() => checkVersion(140_011, '14.11', 'db:5432/plumbline')).toThrow(OldServerError);
    expect(() => checkVersion(140_011, '14.11', 'db:5432/plumbline')).toThrow(
      'The database at db:5432/plumbline is PostgreSQL 14.11; Plumbline needs 15 or newer',
    );
    expect(() => checkVersion(150_000, '15.0', 'db')).not.toThrow();
  });
});
