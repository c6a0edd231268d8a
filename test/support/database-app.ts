import { type ModuleMetadata } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { createTestDatabase, type TestDatabase } from './database.js';
import { createNestApp, type NestAppOptions } from './nest-app.js';

export interface DatabaseAppOptions extends NestAppOptions {
  /** A database that outlives the application; by default it gets its own. */
  database?: TestDatabase;
}

export interface DatabaseApp {
  app: NestExpressApplication;
  database: TestDatabase;
  /** Stops the application, and drops its database if it created one. */
  close(): Promise<void>;
}

/** No server listens there, so tests never reach the chat provider. */
const NO_CHAT = { CHAT_API_BASE_URL: 'http://127.0.0.1:1/api' };

/** An application on a migrated database. */
export async function createDatabaseApp(
  importsFor: (databaseUrl: string) => NonNullable<ModuleMetadata['imports']>,
  { database: given, ...options }: DatabaseAppOptions,
): Promise<DatabaseApp> {
  const database = given ?? (await createTestDatabase());
  const dropOwn = async () => {
    if (given === undefined) await database.drop();
  };
  try {
    const env = { ...NO_CHAT, ...options.env };
    const app = await createNestApp({ imports: importsFor(database.url) }, { ...options, env });
    const close = async () => {
      await app.close();
      await dropOwn();
    };
    return { app, database, close };
  } catch (error) {
    await dropOwn();
    throw error;
  }
}
