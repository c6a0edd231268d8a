/** Writes apps/server/openapi.json from the controllers of the built server. Needs no database: no provider runs. */
import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../dist/apps/server/src/app.module.js';
import { ROLES } from '../dist/apps/server/src/common/config/server.config.js';
import {
  createHttpAdapter,
  HTTP_OPTIONS,
  prefixApiPaths,
} from '../dist/apps/server/src/common/http/http-application.js';
import { describeApi } from '../dist/apps/server/src/views/doc/openapi.js';

const app = await NestFactory.create(AppModule.forRoot('postgres://preview', ROLES), createHttpAdapter(), {
  ...HTTP_OPTIONS,
  preview: true,
  logger: ['error'],
});
prefixApiPaths(app);
const document = describeApi(app);
await writeFile(new URL('../apps/server/openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
console.log(`apps/server/openapi.json is written: ${Object.keys(document.paths).length} paths`);
