import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/** Below the ephemeral ports of Linux, so no connection and no database takes one first. */
const [LOWEST, HIGHEST] = [20_000, 32_000];
const TRIES = 50;

/** A port of this machine that is free now, and that this process was not given before; who wants it should listen soon. */
export function freePort() {
  return getPort({ port: Array.from({ length: TRIES }, () => randomInt(LOWEST, HIGHEST)), reserve: true });
}
