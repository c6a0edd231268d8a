import { type INestApplication } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import { AppModule } from '../../apps/server/src/app.module.js';
import { type Role, ROLES } from '../../apps/server/src/common/config/server.config.js';
import { createHttpAdapter, HTTP_OPTIONS, prefixApiPaths } from '../../apps/server/src/common/http/http-application.js';
import { type Route, RouteTable } from '../../apps/server/src/common/http/route-table.js';
import { createDatabaseApp, type DatabaseApp } from './database-app.js';

/** The whole server on its own database. */
export function createTestApp(): Promise<DatabaseApp> {
  return createDatabaseApp((databaseUrl) => [AppModule.forRoot(databaseUrl, ROLES)], {});
}

/** The modules and controllers of the server without running providers, which suffices to read routes. */
export async function createPreviewApp(roles: readonly Role[] = ROLES): Promise<INestApplication> {
  const app = await NestFactory.create(AppModule.forRoot('postgres://preview', roles), createHttpAdapter(), {
    ...HTTP_OPTIONS,
    preview: true,
    logger: false,
  });
  prefixApiPaths(app);
  return app;
}

/** Every route of an application, as declared by decorators. */
export function routesOf(app: INestApplication): Route[] {
  const discovery = new DiscoveryService(app.get(ModulesContainer, { strict: false }));
  return new RouteTable(discovery, new MetadataScanner()).listRoutes();
}
