import http from 'node:http';

/** An event as received by a client of GET /stream. */
export interface ReceivedEvent {
  id: string | undefined;
  event: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON, looked into by expectations
  data: any;
}

/** A client of GET /stream with its own connection. */
export class EventStream {
  readonly received: ReceivedEvent[] = [];
  /** Number of comments in the stream. */
  comments = 0;
  /** The last id received, with or without an event. */
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
      // Later errors appear as the end of the answer.
      request.on('error', reject);
    });
  }

  get headers(): http.IncomingHttpHeaders {
    return this.response.headers;
  }

  /**
   * Waits until this number of events have been received, and returns all of them. Rejects if the stream ends before.
   */
  async events(count: number): Promise<ReceivedEvent[]> {
    await this.until(() => this.received.length >= count);
    return this.received;
  }

  /** Waits for a condition, which is checked whenever data arrives. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.isOver) throw new Error(`The stream is over after ${String(this.received.length)} events`);
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  async over(): Promise<void> {
    while (!this.isOver) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  /** Stops reading. */
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
