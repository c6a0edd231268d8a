#!/usr/bin/env node
import { runCli } from './cli.js';
import { ExitCode } from './cli-error.js';
import { processTerminal } from './terminal.js';

// A reader such as `head` has closed the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(ExitCode.Done);
  throw error;
});

process.exitCode = await runCli(process.argv.slice(2), processTerminal());
