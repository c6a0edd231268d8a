import type pg from 'pg';
import { DetectionConfig } from '../../../server/src/analysis/detection/detection.config.js';
import { type Environment } from '../../../server/src/common/config/environment.config.js';
import { type LoadedConfig } from '../../../server/src/common/config/load-config.js';
import { ServerConfig } from '../../../server/src/common/config/server.config.js';
import { DatabaseConfig } from '../../../server/src/common/database/database.config.js';
import { type OpenDatabase } from '../../../server/src/common/database/open-database.js';
import { checkDatabase, connected, openForChecks } from './database-checks.js';
import { checkClock, checkEngines } from './engine-checks.js';
import { failed, type Finding } from './finding.js';
import { checkDisk, checkSecretKey, type FreeSpace, freeSpace, growthPerDay } from './machine-checks.js';
import { checkMail } from './mail-check.js';
import { checkPorts, checkProduct } from './network-checks.js';
import { checkSettings } from './settings-checks.js';

export interface DoctorOptions {
  env: Environment;
  /** Unix seconds. */
  now?: () => number;
  free?: FreeSpace;
  /** Called with each finding immediately. */
  onFinding?: (finding: Finding) => void;
  /** Runs on the open database at the end; not called without a database. */
  withDatabase?: (client: pg.Client, config: LoadedConfig) => Promise<void>;
}

/**
 * Checks an installation, running or stopped, without changing it. If its embedded database is stopped, it is started
 * for the checks and then stopped again.
 */
export async function runDoctor(options: DoctorOptions): Promise<Finding[]> {
  const { env, now = () => Date.now() / 1000, free = freeSpace, onFinding } = options;
  const findings: Finding[] = [];
  const add = (...found: Finding[]): void => {
    findings.push(...found);
    for (const one of found) onFinding?.(one);
  };
  const settings = checkSettings(env);
  add(...settings.findings);
  const { config } = settings;
  if (config === null) return findings;
  const server = config.get(ServerConfig);
  const product = await checkProduct(server);
  add(...product.findings);
  const opened = await openForChecks(config);
  add(...opened.findings);
  let client: pg.Client | null = null;
  try {
    let growth: number | null = null;
    if (opened.database !== null) {
      client = await connected(opened.database.url, config.get(DatabaseConfig).connectTimeoutSeconds);
      add(...(await databaseFindings(client, opened.database, config, { now, isRunning: product.isRunning })));
      growth = opened.database.isEmbedded ? await growthPerDay(client) : null;
    }
    add(await checkDisk(server.dataFolder, growth, free), await checkSecretKey(server, client));
    add(await checkMail(config));
    add(...(await checkPorts(server, product.isRunning)));
    if (client !== null) await options.withDatabase?.(client, config);
  } finally {
    await client?.end().catch(() => undefined);
    await opened.database?.stop();
  }
  return findings;
}

async function databaseFindings(
  client: pg.Client,
  database: OpenDatabase,
  config: LoadedConfig,
  { now, isRunning }: { now: () => number; isRunning: boolean },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    findings.push(...(await checkDatabase(client, database, config, isRunning)));
    const { stateUrl } = config.get(DetectionConfig);
    findings.push(await checkClock(client, now), ...(await checkEngines(client, { now, isRunning, stateUrl })));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    findings.push(failed('database', `cannot be asked: ${reason}`, 'Try again; look into the log of PostgreSQL'));
  }
  return findings;
}
