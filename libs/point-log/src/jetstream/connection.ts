import { readFile } from 'node:fs/promises';
import { connect, credsAuthenticator, errors, type NatsConnection } from '@nats-io/transport-node';
import { PointLogAwayError } from '../point-log.js';
import { type JetStreamAddress, placeOf } from './jetstream-url.js';
import { JetStreamUnusableError } from './jetstream.errors.js';

const CONNECT_MS = 5000;
const RECONNECT_MS = 500;
/** A server that has gone without a word is noticed after two of these. */
const PING_MS = 5000;

/**
 * Connects; later losses are repaired by the connection itself, however long they take.
 * @throws JetStreamUnusableError for wrong credentials, PointLogAwayError while no server answers
 */
export async function connectTo(address: JetStreamAddress): Promise<NatsConnection> {
  const { servers, tls, user, password, token, authoritiesFile } = address;
  const credentials = await fileOf(address.credentialsFile, 'creds');
  const authorities = await fileOf(authoritiesFile, 'ca');
  try {
    return await connect({
      name: 'plumbline point log',
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
    const place = placeOf(address);
    if (error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError) {
      throw new JetStreamUnusableError(
        `${place} refuses the credentials of POINT_LOG_URL: correct them there, or allow the user on the server`,
      );
    }
    throw new PointLogAwayError(`${place} does not answer: ${(error as Error).message}`, { cause: error });
  }
}

async function fileOf(path: string | undefined, parameter: string): Promise<Buffer | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path);
  } catch (error) {
    throw new JetStreamUnusableError(
      `The file of "${parameter}=" in POINT_LOG_URL cannot be read: ${(error as Error).message}`,
    );
  }
}
