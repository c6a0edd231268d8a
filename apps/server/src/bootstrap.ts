import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { environment } from './common/config/environment.config.js';
import { loadConfig } from './common/config/load-config.js';
import { ServerConfig } from './common/config/server.config.js';
import { DatabaseConfig } from './common/database/database.config.js';
import { type OpenDatabase, openDatabase } from './common/database/open-database.js';
import { prepareDatabase } from './common/database/prepare-database.js';
import { configureHttp, createHttpAdapter, HTTP_OPTIONS } from './common/http/http-application.js';
import { createLog, NestLog } from './common/telemetry/log.js';
import { ManagementServer } from './common/telemetry/management-server.js';
import { ReadinessRegistry } from './common/telemetry/readiness.js';
import { startTracing, stopTracing } from './common/telemetry/tracing.js';
import { TracingConfig } from './common/telemetry/tracing.config.js';
import { WarmUp } from './common/telemetry/warm-up.js';
import { CONFIG_CLASSES } from './config.registry.js';
import { DemoService } from './views/demo/demo.service.js';
import { PageService } from './views/page/page.service.js';
import { describeConfig } from './views/doc/config-schema.js';
import { DocService } from './views/doc/doc.service.js';
import { describeApi } from './views/doc/openapi.js';
import { KeyRegisterService } from './platform/keys/key-register.service.js';
import { SCHEMA } from '../migrations/index.js';
import { FirstStartService } from './people/setup/first-start.service.js';
import { startBanner } from './start-banner.js';
import { startFailure } from './start-failure.js';

/**
 * Runs the server until SIGINT or SIGTERM, or until something that it needs is lost. Never rejects: it reports the
 * reason and ends the process.
 */
export async function runServer(): Promise<void> {
  // A closed terminal or pipe, as after `npm start | head`, is not a reason to stop.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  await new Server().start();
}

class Server {
  private config: ServerConfig | undefined;
  private app: NestExpressApplication | undefined;
  private database: OpenDatabase | undefined;
  private isStopping = false;

  async start(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      // A signal during the start also stops the dependencies of the start; that stop ends the process.
      if (this.isStopping) return;
      this.isStopping = true;
      const { message, exitCode } = startFailure(error, this.config);
      process.stderr.write(`\n${message}\n`);
      await this.close().catch(() => undefined);
      process.exit(exitCode);
    }
  }

  private async run(): Promise<void> {
    const loaded = loadConfig(CONFIG_CLASSES, environment());
    const config = loaded.get(ServerConfig);
    this.config = config;
    const say = (line: string): void => void process.stdout.write(`${line}\n`);
    for (const warning of loaded.warnings) say(`Warning: ${warning}`);
    this.stopOnSignals();
    await startTracing(loaded.get(TracingConfig), config.nodeName);

    const database = await openDatabase({
      config: loaded.get(DatabaseConfig),
      dataFolder: config.dataFolder,
      log: say,
    });
    this.database = database;
    void database.exited.then(({ expected, description }) => {
      if (!expected) void this.stop(1, `The embedded database has stopped: ${description}`);
    });
    await prepareDatabase(database, SCHEMA, say);

    const app = await NestFactory.create<NestExpressApplication>(
      AppModule.forRoot(database.url, config.roles),
      createHttpAdapter(),
      { ...HTTP_OPTIONS, logger: new NestLog(createLog(config)), abortOnError: false },
    );
    this.app = app;
    app.useLogger(app.get(NestLog));
    await app.get(KeyRegisterService).admit();
    configureHttp(app);
    if (config.roles.includes('api')) {
      app.get(DocService).publish(
        () => describeApi(app),
        () => describeConfig(app),
      );
    }
    let isStarted = false;
    app.get(ReadinessRegistry).register('start', () => {
      if (!isStarted) throw new Error('the process is starting');
    });
    await app.get(ManagementServer).listen();
    await app.listen(config.port, config.host ?? '::');
    if (config.roles.includes('api') && config.warmsUp) void app.get(WarmUp).run();
    // After everything that may fail: generated secrets are shown only once, by this start.
    const first = await app.get(FirstStartService).run();
    isStarted = true;
    const hasConsole = config.roles.includes('api') && app.get(PageService).hasConsole;
    for (const line of startBanner(config, first, { hasConsole })) say(line);
    if (config.roles.includes('ingest')) await app.get(DemoService).start(say);
  }

  /** The first signal stops cleanly, a second one immediately. */
  private stopOnSignals(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (this.isStopping) process.exit(130);
        void this.stop(0, 'Stopping: writing accepted points and saving the detector state');
      });
    }
  }

  private async stop(code: number, reason: string): Promise<void> {
    if (this.isStopping) return;
    this.isStopping = true;
    process.stdout.write(`\n${reason}\n`);
    try {
      this.app?.get(ReadinessRegistry).startShutdown();
      await this.close();
    } catch (error) {
      process.stderr.write(`${startFailure(error, this.config).message}\n`);
      code = 1;
    }
    process.exit(code);
  }

  private async close(): Promise<void> {
    await this.app?.close();
    await stopTracing();
    await this.database?.stop();
  }
}
