import { type Command } from 'commander';
import { type Cli, examples, withServer } from '../command-line.js';
import { type ServerOptions } from '../server-token.js';

export function addMcpCommand(cli: Cli): Command {
  return withServer(cli.program.command('mcp'), 'read')
    .summary('connect an AI assistant to a running server over standard input and output')
    .description(
      'Connects an assistant that starts a program (Model Context Protocol over standard input and output) to the tools of a running server. The tools only read.',
    )
    .addHelpText(
      'after',
      `
An assistant that supports HTTP does not need this command: use the address of the server with /mcp.
${examples('plumbline mcp --url https://plumbline.example.org --token-file token.txt')}`,
    )
    .action(async (options: ServerOptions) => {
      const { serveTools } = await import('../mcp/stdio-bridge.js');
      await serveTools(options, cli.terminal);
    });
}
