import { jest } from '@jest/globals';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { Installation } from '../../../../test/support/cli-installation.js';
import { until } from '../../../../test/support/product.js';
import { runCli } from '../cli.js';
import { recordingTerminal } from '../testing/recording-terminal.js';

const WAIT =
  /^Waiting for a lock that only one process may hold, for migrating the database: held by database process \d+ "plumbline"\n/;

describe('plumbline migrate', () => {
  let installation: Installation;

  beforeEach(async () => {
    installation = await Installation.create();
  });
  afterEach(() => installation.close());

  it('reports that no migration is pending', async () => {
    expect(await installation.done(['migrate', '--dry-run'])).toMatchObject({ out: '', err: 'Nothing to do.\n' });
    expect(await installation.done(['migrate'])).toMatchObject({ out: 'The database is up to date.\n', err: '' });
  });

  it.each([['migrate'], ['migrate --dry-run'], ['org list']])(
    '%s refuses a database of a development version, and explains what to do',
    async (command) => {
      await installation.query(`UPDATE migrations SET name = 'OrganisationsAndPeople1767225600001'`);

      const { code, out, err } = await installation.run(command.split(' '));

      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(/^plumbline: The database at .* \(DATABASE_URL\) was made by a development version /);
      expect(err).toContain('Nothing in it was changed or deleted.');
      expect(err).toMatch(/To start with a new database, create an empty database and set DATABASE_URL to it\.\n$/);
      expect(err).not.toContain(new URL(installation.database.url).password);
    },
  );

  describe('while another process migrates', () => {
    let release: () => Promise<void>;

    beforeEach(async () => {
      const runner = installation.database.dataSource.createQueryRunner();
      await runner.query('SELECT pg_advisory_lock($1)', [DATABASE_LOCKS.migration.number]);
      release = async () => {
        await runner.query('SELECT pg_advisory_unlock($1)', [DATABASE_LOCKS.migration.number]);
        await runner.release();
      };
    });

    it('reports the lock that it waits for', async () => {
      const { terminal, written } = recordingTerminal();
      const ended = runCli(['migrate'], terminal);
      await until('a line about the wait', () => Promise.resolve(written.err || undefined));
      await release();
      expect(await ended).toBe(0);
      expect(written.err).toMatch(WAIT);
    });

    it('does not block other commands on a database of the current version', async () => {
      expect((await installation.run(['org', 'list'])).code).toBe(0);
      await release();
    });
  });

  it('makes other commands wait, and report that, on a database that lacks migrations', async () => {
    const empty = await Installation.create();
    const runner = empty.database.dataSource.createQueryRunner();
    let text = '';
    const stderr = jest.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      text += String(chunk);
      return true;
    });
    try {
      await runner.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      await runner.query('SELECT pg_advisory_lock($1)', [DATABASE_LOCKS.migration.number]);
      const ended = empty.run(['org', 'list']);
      await until('a line about the wait', () => Promise.resolve(text || undefined));
      await runner.query('SELECT pg_advisory_unlock($1)', [DATABASE_LOCKS.migration.number]);
      expect((await ended).code).toBe(0);
    } finally {
      stderr.mockRestore();
      await runner.release();
      await empty.close();
    }
    expect(text).toMatch(WAIT);
  });
});
