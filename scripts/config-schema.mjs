/** Writes apps/server/config-schema.json from the parameters of the built server. Needs no database: no provider runs. */
import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../dist/apps/server/src/app.module.js';
import { ROLES } from '../dist/apps/server/src/common/config/server.config.js';
import { describeConfig } from '../dist/apps/server/src/views/doc/config-schema.js';

const app = await NestFactory.createApplicationContext(AppModule.forRoot('postgres://preview', ROLES), {
  preview: true,
  logger: ['error'],
});
const schema = describeConfig(app);
await writeFile(new URL('../apps/server/config-schema.json', import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
console.log(`apps/server/config-schema.json is written: ${Object.keys(schema.definitions).length} definitions`);
