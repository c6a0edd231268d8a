import { once } from 'node:events';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The result of a tool, as received by a client. */
export interface ToolResult {
  isError: boolean;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON, looked into by expectations
  data: any;
}

/** The common interface of both kinds of clients. */
export interface McpClient {
  kind: string;
  listTools(): Promise<{ name: string; annotations?: { readOnlyHint?: boolean | undefined } | undefined }[]>;
  call(name: string, given?: Record<string, unknown>): Promise<ToolResult>;
  templates(): Promise<string[]>;
  readPicture(uri: string): Promise<Buffer>;
  close(): Promise<void>;
}

export const CLIENT_KINDS = ['2026-07-28', '2025'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

const IDENTITY = { name: 'a test', version: '1.0.0' };

/** The address of a server; starts it on a free port if necessary. */
export async function addressOf(server: Server): Promise<string> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** A client of the official SDK for a revision, connected by HTTP. */
export async function connectMcp(kind: ClientKind, base: string, token: string): Promise<McpClient> {
  const url = new URL('/mcp', base);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  if (kind === '2025') {
    const client = new Client2025(IDENTITY);
    await client.connect(new Transport2025(url, { requestInit }));
    return faceOf(kind, client as unknown as Client);
  }
  const client = new Client(IDENTITY, { versionNegotiation: { mode: { pin: kind } } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return faceOf(kind, client);
}

/** Wraps a client; the members that tests use are the same in both kinds. */
export function faceOf(kind: string, client: Client): McpClient {
  return {
    kind,
    listTools: async () => (await client.listTools()).tools,
    call: async (name, given = {}) => {
      const answer = await client.callTool({ name, arguments: given });
      const text = (answer.content as { text?: string }[]).map((part) => part.text ?? '').join('\n');
      return { isError: answer.isError === true, text, data: answer.structuredContent };
    },
    templates: async () => (await client.listResourceTemplates()).resourceTemplates.map((one) => one.uriTemplate),
    readPicture: async (uri) => {
      const { contents } = await client.readResource({ uri });
      return Buffer.from((contents[0] as { blob: string }).blob, 'base64');
    },
    close: () => client.close(),
  };
}
