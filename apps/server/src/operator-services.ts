import 'reflect-metadata';
import { Logger, type Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, SELF_DECLARED_DEPS_METADATA } from '@nestjs/common/constants.js';
import { SCHEMA } from '../migrations/index.js';
import { Clock, SystemClock } from './common/clock.js';
import { environment } from './common/config/environment.config.js';
import { LoadedConfig, loadConfig } from './common/config/load-config.js';
import { ServerConfig } from './common/config/server.config.js';
import { DatabaseConfig } from './common/database/database.config.js';
import { EntityConnection } from './common/database/entity-connection.js';
import { type OpenDatabase, openDatabase } from './common/database/open-database.js';
import { hasPendingMigrations } from './common/database/pending-migrations.js';
import { prepareDatabase } from './common/database/prepare-database.js';
import { SharedRateLimitStore } from './common/http/rate-limit-counts.repository.js';
import { RateLimitStore } from './common/http/rate-limits.js';
import { KeySource } from './common/secrets/key-source.js';
import { Secrets } from './common/secrets/secrets.js';
import { CONFIG_CLASSES } from './config.registry.js';
// Entities of every area refer to these two.
import './people/org/org.entity.js';
import './people/user/user.entity.js';
import { KeyRegisterService } from './platform/keys/key-register.service.js';

type Token = Type | string;

/** A constructor argument with `@Inject`. */
interface DeclaredDependency {
  index: number;
  param: Token;
}

const silent = (): void => undefined;
const say = (line: unknown): void => void process.stderr.write(`${String(line)}\n`);

/**
 * The services of the server for one command: each is created when it is requested, with the dependencies of its
 * constructor. Building the application would load every area of the product, which takes longer than most commands.
 */
export class OperatorServices {
  private readonly provided = new Map<unknown, unknown>();
  /** The instances with their own constructor, in the order of their creation. */
  private readonly instances: unknown[] = [];

  private constructor(
    private readonly database: OpenDatabase,
    private readonly connection: EntityConnection,
    loaded: LoadedConfig,
  ) {
    this.provided.set(LoadedConfig, loaded).set(Clock, new SystemClock());
    for (const configClass of CONFIG_CLASSES) this.provided.set(configClass, loaded.get(configClass));
    for (const [token, provision] of connection.provisions()) this.provided.set(token, provision);
  }

  /**
   * Works with or without a running server, whose embedded database it uses; `close` it when done. The entities are
   * those that are imported before the call, so import the classes of the services first. If `isKeyChecked` is false,
   * it also accepts a secret key that is not that of the database.
   */
  static async open({ isKeyChecked = true } = {}): Promise<OperatorServices> {
    // Results go to standard output, so problems go to standard error.
    Logger.overrideLogger({ log: silent, debug: silent, verbose: silent, warn: say, error: say, fatal: say });
    const loaded = loadConfig(CONFIG_CLASSES, environment());
    const config = loaded.get(ServerConfig);
    // Without roles there is no recurring work.
    config.roles = [];
    const { dataFolder } = config;
    const database = await openDatabase({
      config: loaded.get(DatabaseConfig),
      dataFolder,
      log: silent,
      attach: true,
    });
    try {
      const connection = await connect(database, loaded.get(DatabaseConfig));
      const services = new OperatorServices(database, connection, loaded);
      try {
        const source = new KeySource(config);
        services.provided.set(KeySource, source).set(Secrets, new Secrets(await source.read()));
        services.provided.set(RateLimitStore, services.get(SharedRateLimitStore));
        if (isKeyChecked) await services.get(KeyRegisterService).admit();
        return services;
      } catch (error) {
        await connection.close();
        throw error;
      }
    } catch (error) {
      await database.stop();
      throw error;
    }
  }

  get<T>(service: Type<T>): T {
    return this.resolve(service, service.name) as T;
  }

  /** Finishes pending writes; then ends the connections, and the embedded database if it was started. */
  async close(): Promise<void> {
    try {
      for (const hook of ['beforeApplicationShutdown', 'onApplicationShutdown'] as const) {
        for (const instance of this.instances)
          await (instance as Record<typeof hook, (() => unknown) | undefined>)[hook]?.();
      }
    } finally {
      await this.connection.close();
      await this.database.stop();
    }
  }

  private resolve(token: Token, neededBy: string): unknown {
    if (this.provided.has(token)) return this.provided.get(token);
    if (typeof token !== 'function') throw new Error(`${neededBy} needs ${token}, which commands do not have`);
    const types = (Reflect.getMetadata(PARAMTYPES_METADATA, token) ?? []) as Type[];
    const declared = (Reflect.getMetadata(SELF_DECLARED_DEPS_METADATA, token) ?? []) as DeclaredDependency[];
    if (types.length < token.length) throw new Error(`${neededBy} needs ${token.name}, which is no service`);
    const dependencies = types.map((type, at) =>
      this.resolve(declared.find(({ index }) => index === at)?.param ?? type, token.name),
    );
    const instance: unknown = new token(...dependencies);
    this.provided.set(token, instance);
    this.instances.push(instance);
    return instance;
  }
}

/** The database is migrated if it does not have this version. */
async function connect(database: OpenDatabase, config: DatabaseConfig): Promise<EntityConnection> {
  const connection = await EntityConnection.open(database.url, config);
  try {
    // If the tables have a separate owner, the preparation also grants the rights of the application.
    if (
      database.ownerUrl !== undefined ||
      (await hasPendingMigrations((sql) => connection.query(sql), SCHEMA.migrations))
    ) {
      await prepareDatabase(database, SCHEMA, silent, say);
    }
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}
