import { hostname } from 'node:os';
import { Setting, type SettingProblem } from './setting.decorator.js';

export const ROLES = ['api', 'ingest', 'detect', 'notify'] as const;
export type Role = (typeof ROLES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const LOG_FORMATS = ['auto', 'json', 'text'] as const;

const SECRET_KEY = /^([0-9a-fA-F]{64}|[\w+/-]{43}=?)$/;
const ORIGIN = /^https?:\/\/[^/\s]+$/;

/** Addresses, limits and identity of the process: settings that belong to no single area. */
export class ServerConfig {
  @Setting({
    env: 'PORT',
    type: 'int',
    min: 0,
    max: 65535,
    sentence: 'Port of the API, the ingest paths and the console.',
  })
  port = 3000;

  @Setting({
    env: 'PLUMBLINE_HOST',
    type: 'string',
    defaultText: 'all interfaces',
    sentence: 'Address that the public port listens on.',
  })
  host: string | undefined;

  @Setting({
    env: 'MANAGEMENT_PORT',
    type: 'int',
    min: 0,
    max: 65535,
    sentence: 'Port of /livez, /readyz, /metrics and /summary; never make it public.',
  })
  managementPort = 9091;

  @Setting({
    env: 'PLUMBLINE_MANAGEMENT_HOST',
    type: 'string',
    sentence: 'Address that the management port listens on; 0.0.0.0 in containers, where probes come from outside.',
  })
  managementHost = '127.0.0.1';

  /** Without trailing slash. */
  @Setting({
    env: 'PUBLIC_URL',
    type: 'url',
    defaultText: 'http://localhost:PORT',
    sentence: 'Address under which people and agents reach the service; absolute links are built from it.',
  })
  publicUrl = 'http://localhost:3000';

  @Setting({
    env: 'PLUMBLINE_INGEST_URL',
    type: 'url',
    defaultText: 'PUBLIC_URL',
    sentence: 'Address for agents that send data, when it differs from PUBLIC_URL.',
  })
  ingestUrl = 'http://localhost:3000';

  @Setting({
    env: 'PLUMBLINE_GRAPHITE_ADDRESS',
    type: 'string',
    pattern: /^((\[[0-9a-fA-F:.]+\]|[^\s:[\]]*):)?\d{1,5}$/,
    form: 'a port (2003), or address and port (10.0.0.5:2003)',
    defaultText: 'none: no listener',
    sentence:
      'Address that accepts Graphite plaintext over TCP. It is not encrypted: tokens and points can be read in transit, so keep it inside your network.',
  })
  graphiteAddress: string | undefined;

  @Setting({
    env: 'NODE_NAME',
    type: 'string',
    defaultText: 'the host name',
    sentence: 'Name of this process in answers (`status.api_host`) and logs.',
  })
  nodeName = hostname();

  @Setting({
    env: 'TRUSTED_PROXIES',
    type: 'list',
    form: 'addresses, networks (10.0.0.0/8) or loopback, linklocal, uniquelocal',
    pattern: /^(loopback|linklocal|uniquelocal|[0-9a-fA-F.:]+(\/[0-9.]+)?)$/,
    sentence: 'Proxies whose X-Forwarded-For, -Proto and -Host headers are trusted.',
  })
  trustedProxies: readonly string[] = [];

  @Setting({
    env: 'CORS_ORIGINS',
    type: 'list',
    form: 'origins (https://grafana.example.org)',
    pattern: ORIGIN,
    sentence: 'Other web origins whose pages may call the API with credentials.',
  })
  corsOrigins: readonly string[] = [];

  @Setting({
    env: 'FRAME_ANCESTORS',
    type: 'list',
    form: 'origins',
    pattern: ORIGIN,
    sentence: 'Web origins that may show graphs in a frame.',
  })
  frameAncestors: readonly string[] = [];

  @Setting({
    env: 'PLUMBLINE_DATA',
    type: 'string',
    form: 'a folder',
    sentence: 'Folder of the embedded database and of generated keys.',
  })
  dataFolder = '.plumbline';

  @Setting({
    env: 'PLUMBLINE_ROLES',
    type: 'list',
    values: ROLES,
    sentence: 'What this process does; a single process does everything.',
  })
  roles: readonly Role[] = ROLES;

  @Setting({
    env: 'PLUMBLINE_WARM_UP',
    type: 'boolean',
    sentence:
      'Prepares charts and expected ranges before the process reports that it is ready. If off, the process is ready sooner, and its first answers are slow.',
  })
  warmsUp = true;

  @Setting({
    env: 'PLUMBLINE_SECRET_KEY',
    type: 'string',
    pattern: SECRET_KEY,
    form: '32 bytes as base64 or hexadecimal',
    secret: true,
    defaultText: 'generated into PLUMBLINE_DATA',
    sentence:
      'Key from which all others are derived (sessions, tokens, signed links); the same for all processes of one installation.',
  })
  secretKey: string | undefined;

  @Setting({
    env: 'PLUMBLINE_SECRET_KEY_PREVIOUS',
    type: 'list',
    pattern: SECRET_KEY,
    form: 'keys as in PLUMBLINE_SECRET_KEY, the newest first',
    secret: true,
    sentence:
      'Keys besides PLUMBLINE_SECRET_KEY that still open what was stored under them, while the key is changed (docs/guide/secret-keys.md).',
  })
  previousSecretKeys: readonly string[] = [];

  @Setting({
    env: 'PLUMBLINE_LOG_LEVEL',
    type: 'enum',
    values: LOG_LEVELS,
    sentence: 'Minimum severity of log lines.',
  })
  logLevel: (typeof LOG_LEVELS)[number] = 'info';

  @Setting({
    env: 'PLUMBLINE_LOG_FORMAT',
    type: 'enum',
    values: LOG_FORMATS,
    sentence: 'Form of log lines; auto writes text on a terminal and JSON elsewhere.',
  })
  logFormat: (typeof LOG_FORMATS)[number] = 'auto';

  @Setting({
    env: 'PLUMBLINE_MAX_BODY_BYTES',
    type: 'int',
    min: 1024,
    max: 67_108_864,
    unit: 'bytes',
    sentence: 'Largest JSON or form body of an API request.',
  })
  maxBodyBytes = 1_048_576;

  @Setting({
    env: 'PLUMBLINE_MAX_PUBLIC_BODY_BYTES',
    type: 'int',
    min: 1024,
    max: 67_108_864,
    unit: 'bytes',
    sentence: 'Largest JSON or form body of an API request that needs no credential: login, sign-up, reset.',
  })
  maxPublicBodyBytes = 16_384;

  @Setting({
    env: 'PLUMBLINE_MAX_UPLOAD_BYTES',
    type: 'int',
    min: 1024,
    max: 67_108_864,
    unit: 'bytes',
    sentence: 'Largest body of POST /benchmark/start, as JSON or with a file.',
  })
  maxUploadBytes = 10_485_760;

  @Setting({
    env: 'PLUMBLINE_BODY_MEMORY_BYTES',
    type: 'int',
    min: 1_048_576,
    max: 17_179_869_184,
    unit: 'bytes',
    sentence:
      'Memory for the bodies of all API requests that are being received and answered at the same time, half of it for uploads; while it is used up, requests with a body are answered 503.',
  })
  maxHeldBodyBytes = 67_108_864;

  @Setting({
    env: 'PLUMBLINE_BODY_IDLE_SECONDS',
    type: 'int',
    min: 1,
    max: 600,
    unit: 'seconds',
    sentence: 'Idle time in the middle of the body of an API request after which its connection is closed.',
  })
  bodyIdleSeconds = 10;

  @Setting({
    env: 'PLUMBLINE_BODY_SECONDS',
    type: 'int',
    min: 1,
    max: 3600,
    unit: 'seconds',
    sentence: 'Longest time for receiving the body of an API request; after that, the connection is closed.',
  })
  bodySeconds = 30;

  @Setting({
    env: 'PLUMBLINE_MAX_QUERY_BYTES',
    type: 'int',
    min: 256,
    max: 16_384,
    unit: 'bytes',
    sentence: 'Longest query string.',
  })
  maxQueryBytes = 8192;

  @Setting({
    env: 'PLUMBLINE_MAX_PATH_SEGMENT_BYTES',
    type: 'int',
    min: 256,
    max: 16_384,
    unit: 'bytes',
    sentence: 'Longest segment of a path, as sent.',
  })
  maxPathSegmentBytes = 4096;

  /** Origin of the console: the only origin that is always allowed. */
  get consoleOrigin(): string {
    return new URL(this.publicUrl).origin;
  }

  /** Host and port of `graphiteAddress`; an undefined host means all interfaces. Undefined: no listener. */
  get graphiteListener(): { host: string | undefined; port: number } | undefined {
    if (this.graphiteAddress === undefined) return undefined;
    const [, host = '', port] = /^(?:(.*):)?(\d+)$/.exec(this.graphiteAddress) ?? [];
    const bare = host.replace(/^\[|\]$/g, '');
    return { host: bare === '' ? undefined : bare, port: Number(port) };
  }

  /** The address that is shown to senders; null if there is no listener. */
  get graphitePublicAddress(): string | null {
    const { graphiteListener: listener } = this;
    return listener ? `${new URL(this.ingestUrl).hostname}:${String(listener.port)}` : null;
  }

  complete(given: ReadonlySet<string>): void {
    if (!given.has('PUBLIC_URL')) this.publicUrl = `http://localhost:${String(this.port)}`;
    if (!given.has('PLUMBLINE_INGEST_URL')) this.ingestUrl = this.publicUrl;
  }

  problems(): readonly SettingProblem[] {
    const problems: SettingProblem[] = [];
    if (this.port === this.managementPort && this.port !== 0) {
      problems.push({ env: 'MANAGEMENT_PORT', message: `must differ from PORT (${String(this.port)})` });
    }
    const graphitePort = this.graphiteListener?.port ?? 0;
    const isTaken = graphitePort !== 0 && (graphitePort === this.port || graphitePort === this.managementPort);
    if (isTaken || graphitePort > 65_535) {
      const message = isTaken ? 'must differ from PORT and MANAGEMENT_PORT' : 'the port must be at most 65535';
      problems.push({ env: 'PLUMBLINE_GRAPHITE_ADDRESS', message });
    }
    if (this.secretKey === undefined && this.previousSecretKeys.length > 0) {
      const message = 'needs PLUMBLINE_SECRET_KEY; a generated key file keeps its previous keys itself';
      problems.push({ env: 'PLUMBLINE_SECRET_KEY_PREVIOUS', message });
    }
    return problems;
  }
}
