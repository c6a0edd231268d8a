import { type Environment } from '../../../server/src/common/config/environment.config.js';
import { ConfigError, type LoadedConfig, loadConfig } from '../../../server/src/common/config/load-config.js';
import { ServerConfig } from '../../../server/src/common/config/server.config.js';
import { settingsOf } from '../../../server/src/common/config/setting.decorator.js';
import { CONFIG_CLASSES } from '../../../server/src/config.registry.js';
import { failed, type Finding, ok, warning } from './finding.js';

const CHECK = 'settings';
const SEE = 'docs/configuration.md lists all settings';

/** Settings that have no effect without another one. */
const NEEDED: readonly (readonly [needed: string, settings: readonly string[]])[] = [
  ['SMTP_HOST', ['SMTP_PORT', 'SMTP_SECURITY', 'SMTP_USERNAME', 'SMTP_PASSWORD', 'SMTP_CA_FILE', 'MAIL_FROM']],
  ['OIDC_ISSUER', ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']],
];

const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export interface CheckedSettings {
  findings: Finding[];
  /** Null if a setting is invalid: then nothing else can be checked. */
  config: LoadedConfig | null;
}

/** Settings that only the command line reads. */
const OF_COMMANDS = new Set(['PLUMBLINE_TOKEN']);

/** Reports unknown, invalid and contradictory settings. */
export function checkSettings(surroundings: Environment): CheckedSettings {
  const env = Object.fromEntries(Object.entries(surroundings).filter(([name]) => !OF_COMMANDS.has(name)));
  let config: LoadedConfig;
  try {
    config = loadConfig(CONFIG_CLASSES, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.problems.map((problem) =>
      failed(CHECK, `${problem.env}: ${problem.message}`, `Change it; the server does not start so. ${SEE}`),
    );
    return { findings, config: null };
  }
  const findings = [
    ...config.warnings.map((line) => warning(CHECK, line, `Correct its name or remove it. ${SEE}`)),
    ...contradictions(env, config.get(ServerConfig)),
  ];
  const given = CONFIG_CLASSES.flatMap((one) => settingsOf(one)).filter((setting) => isSet(env, setting.env));
  if (findings.length === 0) {
    findings.push(ok(CHECK, `${given.length} ${given.length === 1 ? 'setting is' : 'settings are'} set, all known`));
  }
  return { findings, config };
}

function contradictions(env: Environment, { publicUrl, roles, secretKey }: ServerConfig): Finding[] {
  const findings: Finding[] = [];
  for (const [needed, settings] of NEEDED) {
    const idle = settings.filter((name) => isSet(env, name));
    if (isSet(env, needed) || idle.length === 0) continue;
    const verb = idle.length === 1 ? 'has' : 'have';
    findings.push(
      warning(CHECK, `${idle.join(', ')} ${verb} no effect without ${needed}`, `Set ${needed}, or remove the rest`),
    );
  }
  const url = new URL(publicUrl);
  if (url.protocol === 'http:' && !LOCAL.test(url.hostname)) {
    const message = `PUBLIC_URL ${publicUrl} is not encrypted: passwords and tokens can be read in transit`;
    findings.push(warning(CHECK, message, 'Put a proxy with TLS in front, and set PUBLIC_URL to its https address'));
  }
  const isPart = !roles.includes('api') || !roles.includes('detect');
  if (isPart && isSet(env, 'DATABASE_URL') && secretKey === undefined) {
    const message = `PLUMBLINE_ROLES (${roles.join(',')}) leaves work to other processes, and the secret key is a file`;
    const advice = 'Set the same PLUMBLINE_SECRET_KEY for all processes, unless they share the data folder';
    findings.push(warning(CHECK, message, advice));
  }
  if (isPart && !isSet(env, 'DATABASE_URL')) {
    const message = `PLUMBLINE_ROLES (${roles.join(',')}) leaves work to other processes, and the database is embedded`;
    findings.push(
      warning(CHECK, message, 'Set DATABASE_URL: an embedded database serves one process. Or unset PLUMBLINE_ROLES'),
    );
  }
  return findings;
}

const isSet = (env: Environment, name: string): boolean => (env[name] ?? '').trim() !== '';
