import { once } from 'node:events';
import { McpServer, ProtocolError, type ServerContext } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { productVersion } from '../../../server/src/common/product-version.js';
import { CliError, ExitCode } from '../cli-error.js';
import { type ServerOptions, tokenOf } from '../server-token.js';
import { type Terminal } from '../terminal.js';
import { RemoteTools } from './remote-tools.js';

/** Requests that are forwarded unchanged: all of them are read-only. */
const FORWARDED = ['tools/list', 'tools/call', 'resources/list', 'resources/templates/list', 'resources/read'] as const;

/**
 * Serves the tools of a running server to the program at the other end of standard input and output, until that closes.
 * @throws CliError if the server does not answer or refuses the token
 */
export async function serveTools(options: ServerOptions, terminal: Terminal): Promise<void> {
  const remote = new RemoteTools(options.url, await tokenOf(options));
  const instructions = await instructionsOf(remote);
  const interruption = terminal.interruption();
  const ended = once(process.stdin, 'close', { signal: interruption }).catch(() => undefined);
  const served = serveStdio(() => createServer(remote, instructions), {
    onerror: (error) => terminal.err(`plumbline: ${error.message}\n`),
  });
  await ended;
  await served.close();
}

/** Also verifies the address and the token before an assistant relies on them. */
async function instructionsOf(remote: RemoteTools): Promise<string | undefined> {
  try {
    const { instructions } = await remote.request('server/discover');
    return typeof instructions === 'string' ? instructions : undefined;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const isRefusal = typeof error.data === 'object' && error.data !== null && 'code' in error.data;
    throw new CliError(error.message, isRefusal ? ExitCode.BadInput : ExitCode.Failed);
  }
}

function createServer(remote: RemoteTools, instructions: string | undefined): McpServer {
  const identity = { name: 'plumbline', title: 'Plumbline', version: productVersion() };
  const served = new McpServer(identity, { capabilities: { tools: {}, resources: {} }, instructions });
  for (const method of FORWARDED) {
    const forward = async ({ params }: { params?: object }, context: ServerContext): Promise<never> => {
      const forwarded = { ...params, _meta: undefined };
      // The answer of the server is forwarded unchanged; the SDK writes it in the protocol revision of the client.
      return (await remote.request(method, forwarded, context.mcpReq.signal)) as never;
    };
    served.server.setRequestHandler(method, forward);
  }
  return served;
}
