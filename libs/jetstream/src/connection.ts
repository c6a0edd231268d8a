import { readFile } from 'node:fs/promises';
import { type NatsConnection } from '@nats-io/transport-node';
import { type JetStreamAddress, placeOf } from './jetstream-url.js';
import { JetStreamUnusableError } from './jetstream.errors.js';

const CONNECT_MS = 5000;
const RECONNECT_MS = 500;
/** Interval of pings, milliseconds: a server that has disappeared is detected after two of them. */
const PING_MS = 5000;

/**
 * Connects; the connection itself recovers from later losses, however long they last. The client of NATS is loaded only
 * when this is called.
 * @param name the name of the connection on the server
 * @param setting the name of the setting that contains the address, for messages
 * @throws JetStreamUnusableError for wrong credentials; the error of the client if no server answers
 */
export async function connectTo(address: JetStreamAddress, name: string, setting: string): Promise<NatsConnection> {
  const { connect, credsAuthenticator, errors } = await import('@nats-io/transport-node');
  const { servers, tls, user, password, token, authoritiesFile } = address;
  const credentials = await fileOf(address.credentialsFile, 'creds', setting);
  const authorities = await fileOf(authoritiesFile, 'ca', setting);
  try {
    return await connect({
      name,
      servers: [...servers],
      timeout: CONNECT_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      pingInterval: PING_MS,
      ignoreAuthErrorAbort: true,
      noEcho: true,
      ...(user !== undefined && password !== undefined && { user, pass: password }),
      ...(token !== undefined && { token }),
      ...(credentials && { authenticator: credsAuthenticator(credentials) }),
      ...((tls || authorities) && { tls: { ...(authorities && { ca: authorities.toString('utf8') }) } }),
    });
  } catch (error) {
    if (error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError) {
      throw new JetStreamUnusableError(
        `${placeOf(address)} refuses the credentials of ${setting}: correct them there, or allow the user on the server`,
      );
    }
    throw error;
  }
}

async function fileOf(path: string | undefined, parameter: string, setting: string): Promise<Buffer | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path);
  } catch (error) {
    throw new JetStreamUnusableError(
      `The file of "${parameter}=" in ${setting} cannot be read: ${(error as Error).message}`,
    );
  }
}
