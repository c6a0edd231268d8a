import { runServer } from './bootstrap.js';

await runServer();
