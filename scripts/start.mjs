/** `npm start`: builds what is out of date, then runs the server in this process. */
import { buildIfStale } from './build-if-stale.mjs';

await buildIfStale({ withConsole: true });
const { runServer } = await import('../dist/apps/server/src/bootstrap.js');
await runServer();
