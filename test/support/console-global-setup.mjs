import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import globalSetup from './global-setup.mjs';

/** Builds the console if its sources have changed, so that tests open current pages. */
export default async function consoleGlobalSetup() {
  await buildIfStale({ withConsole: true });
  await globalSetup();
}
