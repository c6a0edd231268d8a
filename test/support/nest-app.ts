import { type ModuleMetadata } from '@nestjs/common';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { Clock } from '../../apps/server/src/common/clock.js';
import { CONFIG_ENVIRONMENT } from '../../apps/server/src/common/config/config.module.js';
import { type Environment } from '../../apps/server/src/common/config/environment.config.js';
import { ServerConfig } from '../../apps/server/src/common/config/server.config.js';
import { configureHttp, createHttpAdapter, HTTP_OPTIONS } from '../../apps/server/src/common/http/http-application.js';
import { createLog, LOG, NestLog } from '../../apps/server/src/common/telemetry/log.js';
import { CONNECT_TIMEOUT_SECONDS } from './connect-timeout.js';
import { refuseUnlistedErrors } from './unlisted-errors.js';

/** Settings of test applications: independent of the machine, with limits that tests do not reach by accident. */
const ENVIRONMENT: Environment = {
  PUBLIC_URL: 'https://plumbline.example.org',
  NODE_NAME: 'node-1',
  PLUMBLINE_SECRET_KEY: '0'.repeat(64),
  PLUMBLINE_LOG_LEVEL: 'silent',
  PLUMBLINE_DATABASE_CONNECT_TIMEOUT_SECONDS: String(CONNECT_TIMEOUT_SECONDS),
  PLUMBLINE_LIMIT_ANONYMOUS: '100000',
  PLUMBLINE_LIMIT_API: '100000',
  PLUMBLINE_LIMIT_PICTURES: '100000',
};

export interface NestAppOptions {
  /** Additional settings. */
  env?: Environment;
  clock?: Clock;
  /** Gets every log line, from `trace` up. */
  logLines?: (line: string) => void;
}

/** An application as started by the server, for supertest (`request(app.getHttpServer())`). */
export async function createNestApp(
  metadata: ModuleMetadata,
  options: NestAppOptions = {},
): Promise<NestExpressApplication> {
  const builder = Test.createTestingModule(metadata)
    .overrideProvider(CONFIG_ENVIRONMENT)
    .useValue({ ...ENVIRONMENT, ...options.env });
  if (options.clock !== undefined) builder.overrideProvider(Clock).useValue(options.clock);
  const { logLines } = options;
  if (logLines !== undefined) {
    const config = Object.assign(new ServerConfig(), { logLevel: 'trace', logFormat: 'json' });
    builder.overrideProvider(LOG).useValue(createLog(config, { write: logLines }));
  }
  const module = await builder.compile();
  const app = module.createNestApplication<NestExpressApplication>(createHttpAdapter(), {
    ...HTTP_OPTIONS,
    logger: false,
  });
  if (logLines !== undefined) app.useLogger(app.get(NestLog));
  refuseUnlistedErrors(app);
  configureHttp(app);
  return app.init();
}
