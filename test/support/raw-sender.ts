import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A low-level sender: the test decides what it sends and when. */
export interface RawSender {
  send(text: string): void;
  /** Everything received so far. */
  answer(): string;
  /** Resolves when either side has closed the connection. */
  closed: Promise<void>;
  /** Breaks the connection. */
  cut(): void;
}

/** Connects, and sends nothing by itself. */
export async function rawSender(url: string): Promise<RawSender> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  // Some tests cause a reset of the connection; `closed` reports it.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  return {
    send: (text) => void socket.write(text),
    answer: () => answer,
    closed,
    cut: () => socket.destroy(),
  };
}

/** Head of a POST with this content length. */
export function postHead(path: string, headers: Readonly<Record<string, string>>, contentLength: number): string {
  const lines = Object.entries({ Host: 'localhost', ...headers, 'Content-Length': String(contentLength) });
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}
