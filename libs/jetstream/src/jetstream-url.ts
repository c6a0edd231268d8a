/** The location of an object on NATS JetStream, as its address defines it. */
export interface JetStreamAddress {
  /** `host:port`, without credentials: may be displayed. */
  servers: readonly string[];
  tls: boolean;
  user: string | undefined;
  password: string | undefined;
  token: string | undefined;
  /** Path of a credentials file of NATS (`.creds`). */
  credentialsFile: string | undefined;
  /** Path of a file with the certificates of trusted authorities, PEM. */
  authoritiesFile: string | undefined;
  /** First part of the names of all streams, or of all buckets. */
  stream: string;
  replicas: number;
  /** Limit for all partitions together; undefined: as much as the server allows. */
  maxBytes: number | undefined;
  /** True if the data of this installation on the server is lost and the product may continue without it. */
  acceptsLoss: boolean;
  /** True if the data is to be moved back to PostgreSQL. */
  movesToPostgres: boolean;
}

/** The address is wrong. The message states what to write instead, and never contains credentials. */
export class JetStreamUrlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JetStreamUrlError';
  }
}

/**
 * Maximum number of partitions. Each is a stream, and on several servers a group that elects a leader: creating 1,024
 * of them on three servers takes a minute, and they keep every server busy while nothing happens
 * (docs/decisions/0053-a-thousand-partitions.md).
 */
export const MAX_JETSTREAM_PARTITIONS = 256;

const MAX_LENGTH = 4096;
const DEFAULT_PORT = 4222;
const SCHEMES = new Set(['nats:', 'tls:']);
const STREAM_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const PARAMETERS = ['replicas', 'max_bytes', 'creds', 'ca', 'accept_loss', 'move'];
const FORM = 'nats://host:4222[,nats://host2:4222…]?replicas=3';

/** The parameter of an address that contains the name of its objects on the server, and its default. */
export interface NameInUrl {
  parameter: string;
  byDefault: string;
}

const STREAM_IN_URL: NameInUrl = { parameter: 'stream', byDefault: 'plumbline' };

/**
 * Reads `nats://user:password@host:4222,nats://host2:4222?replicas=3&stream=plumbline`. Credentials belong to the first
 * server: `user:password`, a token alone, or `creds=FILE`. `tls://` for TLS.
 * @throws JetStreamUrlError
 */
export function parseJetStreamUrl(text: string, name: NameInUrl = STREAM_IN_URL): JetStreamAddress {
  if (text.length > MAX_LENGTH) throw new JetStreamUrlError(`must be shorter than ${String(MAX_LENGTH)} characters`);
  const queryAt = text.indexOf('?');
  const places = (queryAt < 0 ? text : text.slice(0, queryAt)).split(',').map((part) => part.trim());
  const query = new URLSearchParams(queryAt < 0 ? '' : text.slice(queryAt + 1));
  const urls = places.map((place) => readServer(place.includes('://') ? place : `nats://${place}`));
  const [first, ...others] = urls as [URL, ...URL[]];
  if (!places[0]!.includes('://')) throw new JetStreamUrlError(`must begin with nats:// or tls://, as in ${FORM}`);
  if (others.some(({ username, password }) => username + password !== '')) {
    throw new JetStreamUrlError('must have its credentials with the first server only: they are those of all servers');
  }
  checkParameters(query, [name.parameter, ...PARAMETERS]);
  const [user, password] = [unescaped(first.username), unescaped(first.password)];
  const isToken = user !== '' && first.password === '';
  const credentialsFile = query.get('creds') ?? undefined;
  if (credentialsFile !== undefined && user !== '') {
    throw new JetStreamUrlError('must have either creds=FILE or credentials with the server, not both');
  }
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? String(DEFAULT_PORT) : port}`),
    tls: urls.some(({ protocol }) => protocol === 'tls:'),
    user: user === '' || isToken ? undefined : user,
    password: user === '' || isToken ? undefined : password,
    token: isToken ? user : undefined,
    credentialsFile,
    authoritiesFile: query.get('ca') ?? undefined,
    stream: readName(query.get(name.parameter) ?? name.byDefault, name.parameter),
    replicas: wholeNumber(query, 'replicas', 1, 5) ?? 1,
    maxBytes: wholeNumber(query, 'max_bytes', 1024 * 1024, Number.MAX_SAFE_INTEGER),
    acceptsLoss: readFlag(query, 'accept_loss', 'true'),
    movesToPostgres: readFlag(query, 'move', 'postgresql'),
  };
}

/** Servers and stream, for messages. */
export function placeOf({ servers, stream }: Pick<JetStreamAddress, 'servers' | 'stream'>): string {
  return `NATS JetStream at ${servers.join(', ')}, stream ${stream}`;
}

function readServer(place: string): URL {
  const url = URL.canParse(place) ? new URL(place) : undefined;
  if (url === undefined || !SCHEMES.has(url.protocol)) {
    throw new JetStreamUrlError(`must begin with nats:// or tls://, as in ${FORM}`);
  }
  // An address with a scheme other than http may have no host.
  if (url.hostname === '' || !['', '/'].includes(url.pathname) || url.hash !== '') {
    throw new JetStreamUrlError(`must name servers by host and port only, as in ${FORM}`);
  }
  return url;
}

function checkParameters(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) {
    if (!known.includes(name)) {
      throw new JetStreamUrlError(`has an unknown parameter after "?"; known are ${known.join(', ')}`);
    }
    if (query.getAll(name).length > 1) throw new JetStreamUrlError(`has the parameter ${name} twice`);
  }
}

function readName(name: string, parameter: string): string {
  if (!STREAM_NAME.test(name)) {
    throw new JetStreamUrlError(`must have a ${parameter} of 1 to 64 letters, digits, "-" and "_"`);
  }
  return name;
}

function wholeNumber(query: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || value < least || value > most) {
    throw new JetStreamUrlError(`must have ${name} as a whole number ${String(least)}..${String(most)}`);
  }
  return value;
}

function readFlag(query: URLSearchParams, name: string, value: string): boolean {
  const text = query.get(name);
  if (text !== null && text !== value) throw new JetStreamUrlError(`can have ${name}=${value} only`);
  return text !== null;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new JetStreamUrlError('must have its credentials percent-encoded ("%" as "%25")');
  }
}
