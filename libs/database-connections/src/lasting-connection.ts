const IDLE_SECONDS = 5;
const INTERVAL_SECONDS = 2;
const PROBES = 3;
const LOST_AFTER_SECONDS = IDLE_SECONDS + PROBES * INTERVAL_SECONDS;

/**
 * Settings of a session: if the machine of the client has not answered for 11 seconds, the server ends the session,
 * rolls its transaction back and releases its locks. The last setting is for a client that disappears while an answer
 * is on its way to it: without it, the server retransmits the answer for a quarter of an hour.
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
  /** By default, the system waits two hours before the first probe. Node.js then sends ten probes, one second apart. */
  keepAliveInitialDelayMillis: number;
}

/**
 * Options for a long-lived connection to the database of the product, both ends of which must detect that the other
 * machine has disappeared without closing the connection. Settings in the address (`options=-c …`) take precedence.
 */
export function lastingConnection(url: string): LastingConnection {
  const [connectionString, own] = withoutOptions(url);
  const options = own === undefined ? SESSION : `${SESSION} ${own}`;
  return { connectionString, options, keepAlive: true, keepAliveInitialDelayMillis: IDLE_SECONDS * 1000 };
}

/** Separates the options from the address, because pg prefers them to the options that it gets separately. */
function withoutOptions(url: string): [string, string | undefined] {
  if (!URL.canParse(url)) return [url, undefined];
  const address = new URL(url);
  const options = address.searchParams.get('options');
  if (options === null) return [url, undefined];
  address.searchParams.delete('options');
  return [address.href, options];
}
