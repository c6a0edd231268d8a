import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { connectionOptions } from './apps/server/src/common/database/connection.js';
import { MIGRATIONS } from './apps/server/migrations/index.js';

/**
 * For the TypeORM command line and editors, after a build:
 * `DATABASE_URL=… npx typeorm -d dist/ormconfig.js schema:log`. The embedded database's address is in
 * `.plumbline/postgres/url` while the server runs.
 */
export default new DataSource({
  ...connectionOptions(process.env.DATABASE_URL ?? 'postgres://127.0.0.1:5432/plumbline'),
  entities: [join(import.meta.dirname, 'apps/server/src/*/*/*.entity.js')],
  migrations: [...MIGRATIONS],
});
