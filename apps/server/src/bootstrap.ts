import 'reflect-metadata';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { environment } from './common/config/environment.config.js';
import { ConfigError, loadConfig } from './common/config/load-config.js';
import { ServerConfig } from './common/config/server.config.js';
import { DatabaseConfig } from './common/database/database.config.js';
import { migrate } from './common/database/migrate.js';
import { type OpenDatabase, openDatabase } from './common/database/open-database.js';
import { configureHttp, createHttpAdapter, HTTP_OPTIONS } from './common/http/http-application.js';
import { NestLog } from './common/telemetry/log.js';
import { ManagementServer } from './common/telemetry/management-server.js';
import { ReadinessRegistry } from './common/telemetry/readiness.js';
import { CONFIG_CLASSES } from './config.registry.js';
import { DemoService } from './demo/demo.service.js';
import { DocService } from './doc/doc.service.js';
import { describeApi } from './doc/openapi.js';
import { MIGRATIONS } from './migrations/index.js';
import { FirstStartService } from './setup/first-start.service.js';
import { startBanner } from './start-banner.js';

/** Runs the server until SIGINT or SIGTERM, or until what it stands on is gone. Never rejects: it says why and ends the process. */
export async function runServer(): Promise<void> {
  try {
    await new Server().run();
  } catch (error) {
    process.stderr.write(`\n${describe(error)}\n`);
    process.exit(error instanceof ConfigError ? 2 : 1);
  }
}

/** The application without HTTP, for the command line. Works beside a running server; `close` it when done. */
export async function createCliContext(): Promise<INestApplicationContext> {
  const loaded = loadConfig(CONFIG_CLASSES, environment());
  const { dataFolder } = loaded.get(ServerConfig);
  const database = await openDatabase({
    config: loaded.get(DatabaseConfig),
    dataFolder,
    log: () => undefined,
    attach: true,
  });
  try {
    await migrate(database.url, MIGRATIONS, () => undefined);
    const context = await NestFactory.createApplicationContext(AppModule.forCommandLine(database.url), {
      logger: ['error', 'warn'],
      abortOnError: false,
    });
    const close = context.close.bind(context);
    context.close = async () => {
      await close();
      await database.stop();
    };
    return context;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

class Server {
  private app: NestExpressApplication | undefined;
  private database: OpenDatabase | undefined;
  private isStopping = false;

  async run(): Promise<void> {
    const loaded = loadConfig(CONFIG_CLASSES, environment());
    const config = loaded.get(ServerConfig);
    const say = (line: string): void => void process.stdout.write(`${line}\n`);
    for (const warning of loaded.warnings) say(`Warning: ${warning}`);
    this.stopOnSignals();

    const database = await openDatabase({
      config: loaded.get(DatabaseConfig),
      dataFolder: config.dataFolder,
      log: say,
    });
    this.database = database;
    void database.exited.then(({ expected, description }) => {
      if (!expected) void this.stop(1, `The embedded database is gone: ${description}`);
    });
    await migrate(database.url, MIGRATIONS, say);

    const app = await NestFactory.create<NestExpressApplication>(
      AppModule.forRoot(database.url, config.roles),
      createHttpAdapter(),
      { ...HTTP_OPTIONS, bufferLogs: true, abortOnError: false },
    );
    this.app = app;
    app.useLogger(app.get(NestLog));
    configureHttp(app);
    if (config.roles.includes('api')) app.get(DocService).publish(describeApi(app));
    const first = await app.get(FirstStartService).run();
    await app.listen(config.port, config.host ?? '::');
    await app.get(ManagementServer).listen();
    for (const line of startBanner(config, first)) say(line);
    if (config.roles.includes('ingest')) await app.get(DemoService).start(say);
  }

  /** The first signal stops cleanly, a second one at once. */
  private stopOnSignals(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (this.isStopping) process.exit(130);
        void this.stop(0, 'Stopping: what was accepted is written, what was learnt is kept');
      });
    }
  }

  private async stop(code: number, reason: string): Promise<void> {
    if (this.isStopping) return;
    this.isStopping = true;
    process.stdout.write(`\n${reason}\n`);
    try {
      this.app?.get(ReadinessRegistry).startShutdown();
      await this.app?.close();
      await this.database?.stop();
    } catch (error) {
      process.stderr.write(`${describe(error)}\n`);
      code = 1;
    }
    process.exit(code);
  }
}

/** What went wrong with settings, database or ports explains itself; only our own mistakes need their stack. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${error.message}: another program listens there; set PORT or MANAGEMENT_PORT`;
  const isMistake = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return isMistake ? (error.stack ?? error.message) : error.message;
}
