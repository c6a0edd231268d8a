import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import globalSetup from './global-setup.mjs';

/** The pages that the tests open are those of the sources as they are now. */
export default async function consoleGlobalSetup() {
  await buildIfStale({ withConsole: true });
  await globalSetup();
}
