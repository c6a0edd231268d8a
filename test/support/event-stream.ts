import http from 'node:http';

/** An event as a client of GET /stream gets it. */
export interface ReceivedEvent {
  id: string | undefined;
  event: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON, looked into by expectations
  data: any;
}

/** A client of GET /stream over a connection of its own. */
export class EventStream {
  readonly received: ReceivedEvent[] = [];
  /** Comments among the events. */
  comments = 0;
  /** The last id that was sent, with or without an event. */
  lastId: string | undefined;
  isOver = false;
  private rest = '';
  private readonly waiting = new Set<() => void>();

  private constructor(
    private readonly request: http.ClientRequest,
    private readonly response: http.IncomingMessage,
  ) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.take(text));
    response.once('close', () => {
      this.isOver = true;
      this.notify();
    });
    response.on('error', () => undefined);
  }

  /** Resolves once the answer has begun. @param url with path and query */
  static open(url: string, headers: http.OutgoingHttpHeaders): Promise<EventStream> {
    return new Promise((resolve, reject) => {
      const request = http.get(url, { headers, agent: false }, (response) => {
        if (response.statusCode === 200) resolve(new EventStream(request, response));
        else {
          response.resume();
          reject(new Error(`GET /stream answered ${String(response.statusCode)}`));
        }
      });
      // Afterwards it shows as the end of the answer.
      request.on('error', reject);
    });
  }

  get headers(): http.IncomingHttpHeaders {
    return this.response.headers;
  }

  /** Waits until so many events have been received, and answers them all. Rejects when the stream is over before. */
  async events(count: number): Promise<ReceivedEvent[]> {
    await this.until(() => this.received.length >= count);
    return this.received;
  }

  /** Waits for a condition that is looked at whenever something was received. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.isOver) throw new Error(`The stream is over after ${String(this.received.length)} events`);
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  async over(): Promise<void> {
    while (!this.isOver) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  /** Takes nothing any more. */
  pause(): void {
    this.response.pause();
  }

  resume(): void {
    this.response.resume();
  }

  close(): void {
    this.request.destroy();
  }

  private take(text: string): void {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop()!;
    for (const block of blocks) this.takeBlock(block.split('\n'));
    this.notify();
  }

  private takeBlock(lines: readonly string[]): void {
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    if (lines.some((line) => line.startsWith(':'))) this.comments++;
    const id = field('id');
    if (id !== undefined) this.lastId = id;
    const data = field('data');
    if (data !== undefined) this.received.push({ id, event: field('event') ?? 'message', data: JSON.parse(data) });
  }

  private notify(): void {
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }
}
