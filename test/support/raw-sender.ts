import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A sender that is made by hand: it sends what and when a test says. */
export interface RawSender {
  send(text: string): void;
  /** All that was answered. */
  answer(): string;
  /** Resolves when the connection is gone, from either side. */
  closed: Promise<void>;
  /** Breaks the connection. */
  cut(): void;
}

/** Connects; everything after that is up to the test. */
export async function rawSender(url: string): Promise<RawSender> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  // A connection that is reset is what some tests are about; `closed` tells of it.
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

/** Head of a POST whose body has so many bytes. */
export function postHead(path: string, headers: Readonly<Record<string, string>>, contentLength: number): string {
  const lines = Object.entries({ Host: 'localhost', ...headers, 'Content-Length': String(contentLength) });
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}
