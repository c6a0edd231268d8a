import { type INestApplication } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../apps/server/src/app.module.js';
import { CONFIG_ENVIRONMENT } from '../../apps/server/src/common/config/config.module.js';
import { type Environment } from '../../apps/server/src/common/config/environment.config.js';
import { ROLES, type Role } from '../../apps/server/src/common/config/server.config.js';
import {
  configureHttp,
  createHttpAdapter,
  HTTP_OPTIONS,
  prefixApiPaths,
} from '../../apps/server/src/common/http/http-application.js';
import { type Route, RouteTable } from '../../apps/server/src/common/http/route-table.js';
import { createTestDatabase, type TestDatabase } from './database.js';

/** Settings of test applications: nothing that depends on the machine, and limits that no test meets by accident. */
export const TEST_ENVIRONMENT: Environment = {
  PUBLIC_URL: 'https://plumbline.example.org',
  NODE_NAME: 'node-1',
  PLUMBLINE_SECRET_KEY: '0'.repeat(64),
  PLUMBLINE_LOG_LEVEL: 'silent',
  PLUMBLINE_LIMIT_ANONYMOUS: '100000',
  PLUMBLINE_LIMIT_API: '100000',
  PLUMBLINE_LIMIT_PICTURES: '100000',
};

export interface TestApp {
  app: NestExpressApplication;
  database: TestDatabase;
  close(): Promise<void>;
}

/** The whole server on a database of its own, ready for supertest (`request(app.getHttpServer())`). */
export async function createTestApp(options: { roles?: readonly Role[]; env?: Environment } = {}): Promise<TestApp> {
  const database = await createTestDatabase();
  try {
    const module = await Test.createTestingModule({
      imports: [AppModule.forRoot(database.url, options.roles ?? ROLES)],
    })
      .overrideProvider(CONFIG_ENVIRONMENT)
      .useValue({ ...TEST_ENVIRONMENT, ...options.env })
      .compile();
    const app = module.createNestApplication<NestExpressApplication>(createHttpAdapter(), {
      ...HTTP_OPTIONS,
      logger: false,
    });
    configureHttp(app);
    await app.init();
    const close = async () => {
      await app.close();
      await database.drop();
    };
    return { app, database, close };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

/** The modules and controllers of the server without any running provider: enough to look at routes. */
export async function createPreviewApp(): Promise<INestApplication> {
  const app = await NestFactory.create(AppModule.forRoot('postgres://preview', ROLES), createHttpAdapter(), {
    ...HTTP_OPTIONS,
    preview: true,
    logger: false,
  });
  prefixApiPaths(app);
  return app;
}

/** Every route of an application, as its decorators declare it. */
export function routesOf(app: INestApplication): Route[] {
  const discovery = new DiscoveryService(app.get(ModulesContainer, { strict: false }));
  return new RouteTable(discovery, new MetadataScanner()).all();
}
