const IDLE_SECONDS = 5;
const INTERVAL_SECONDS = 2;
const PROBES = 3;
const LOST_AFTER_SECONDS = IDLE_SECONDS + PROBES * INTERVAL_SECONDS;

/**
 * Settings of a session: the server ends it when the machine of the client has not answered for 11 seconds, rolls its
 * transaction back and releases its locks. The last one is for a client that is gone while an answer is on its way to it;
 * without it the server sends that again for a quarter of an hour.
 */
const SESSION = Object.entries({
  tcp_keepalives_idle: IDLE_SECONDS,
  tcp_keepalives_interval: INTERVAL_SECONDS,
  tcp_keepalives_count: PROBES,
  tcp_user_timeout: LOST_AFTER_SECONDS * 1000,
})
  .map(([name, value]) => `-c ${name}=${String(value)}`)
  .join(' ');

/** Options of pg. */
export interface LastingConnection {
  connectionString: string;
  /** Settings of the session, as on the command line of the server. */
  options: string;
  keepAlive: true;
  /** Without it the system waits for two hours. Node.js asks ten times then, a second apart. */
  keepAliveInitialDelayMillis: number;
}

/**
 * How the product connects to its database: for a connection that is kept, and whose two ends must notice when the other
 * machine has gone without a word. Settings in the address (`options=-c …`) win.
 */
export function lastingConnection(url: string): LastingConnection {
  const [connectionString, own] = withoutOptions(url);
  const options = own === undefined ? SESSION : `${SESSION} ${own}`;
  return { connectionString, options, keepAlive: true, keepAliveInitialDelayMillis: IDLE_SECONDS * 1000 };
}

/** pg prefers options of the address to those that it is given. */
function withoutOptions(url: string): [string, string | undefined] {
  if (!URL.canParse(url)) return [url, undefined];
  const address = new URL(url);
  const options = address.searchParams.get('options');
  if (options === null) return [url, undefined];
  address.searchParams.delete('options');
  return [address.href, options];
}
