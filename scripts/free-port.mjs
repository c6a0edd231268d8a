import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/** Below the ephemeral ports of Linux, so that no connection or database takes a port first. */
const [LOWEST, HIGHEST] = [20_000, 32_000];
const TRIES = 50;

/** A free port of this machine that this process has not returned before. Callers should listen on it soon. */
export function freePort() {
  return getPort({ port: Array.from({ length: TRIES }, () => randomInt(LOWEST, HIGHEST)), reserve: true });
}
