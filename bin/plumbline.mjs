#!/usr/bin/env node
/** `npx plumbline …` inside the repository: builds what is stale, then runs the command line. */
import { existsSync } from 'node:fs';

const builder = new URL('../scripts/build-if-stale.mjs', import.meta.url);

// The container image holds the compiled program only.
if (existsSync(builder)) {
  try {
    const { buildIfStale } = await import(builder.href);
    await buildIfStale({ withConsole: process.argv[2] === 'serve' });
  } catch (error) {
    process.stderr.write(`plumbline: ${error.message}\n`);
    process.exit(1);
  }
}
await import('../dist/apps/cli/src/main.js');
