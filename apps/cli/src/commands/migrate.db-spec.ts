import { Installation } from '../../../../test/support/cli-installation.js';

describe('plumbline migrate', () => {
  let installation: Installation;

  beforeEach(async () => {
    installation = await Installation.create();
  });
  afterEach(() => installation.close());

  it('says that there is nothing to do', async () => {
    expect(await installation.done(['migrate', '--dry-run'])).toMatchObject({ out: '', err: 'Nothing to do.\n' });
    expect(await installation.done(['migrate'])).toMatchObject({ out: 'The database is up to date.\n', err: '' });
  });

  it.each([['migrate'], ['migrate --dry-run'], ['org list']])(
    '%s refuses a database of a development version, and says what to do',
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
});
