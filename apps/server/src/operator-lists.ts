import { MIGRATIONS, SCHEMA } from '../migrations/index.js';
import { environment } from './common/config/environment.config.js';
import { loadConfig } from './common/config/load-config.js';
import { ServerConfig } from './common/config/server.config.js';
import { DatabaseConfig } from './common/database/database.config.js';
import { openDatabase } from './common/database/open-database.js';
import { hasPendingMigrations } from './common/database/pending-migrations.js';
import { withPlainConnection } from './common/database/plain-connection.js';
import { OperatorListsRepository } from './people/account/operator-lists.repository.js';

const silent = (): void => undefined;

/**
 * Runs `work` on the lists of the installation, with or without a running server, whose embedded database it uses.
 * Reads only the settings of the database, and needs no secret key.
 */
export async function withOperatorLists<T>(work: (lists: OperatorListsRepository) => Promise<T>): Promise<T> {
  const loaded = loadConfig([ServerConfig, DatabaseConfig], environment());
  const { dataFolder } = loaded.get(ServerConfig);
  const config = loaded.get(DatabaseConfig);
  const database = await openDatabase({ config, dataFolder, log: silent, attach: true });
  try {
    return await withPlainConnection(database.url, config.statementTimeoutSeconds, async (client) => {
      const query = async (sql: string): Promise<unknown> => (await client.query<object>(sql)).rows;
      if (database.ownerUrl !== undefined || (await hasPendingMigrations(query, MIGRATIONS))) {
        const { prepareDatabase } = await import('./common/database/prepare-database.js');
        await prepareDatabase(database, SCHEMA, silent, (line) => void process.stderr.write(`${line}\n`));
      }
      return work(new OperatorListsRepository(client));
    });
  } finally {
    await database.stop();
  }
}
