import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type Response } from 'express';
import { type StreamEventType } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { presentedToken } from '../../common/auth/credentials.js';
import { Clock } from '../../common/clock.js';
import { DatabaseNotifications } from '../../common/database/notifications.js';
import { messageOf } from '../../common/errors/message-of.js';
import { type EdgeRequest } from '../../common/http/request-context.js';
import { compileChips } from '../../data/chips/chips-match.js';
import { STREAM_CHANNEL, STREAM_KEPT_SECONDS } from '../../platform/stream-log/stream-log.types.js';
import { type StreamParams } from './dto/stream.params.js';
import { StreamAdmissionService } from './stream-admission.service.js';
import { StreamListener } from './stream-listener.js';
import { StreamPagesService } from './stream-pages.service.js';
import { StreamConfig } from './stream.config.js';
import { StreamRepository } from './stream.repository.js';
import { MAX_REPLAYED } from './stream.types.js';

/** Interval of checks without a notification: they make up for lost ones. */
const LOOK_ANYWAY_MS = 10_000;

/** Wakes listeners when a change of their organisation was committed, in any process. */
@Injectable()
export class StreamSignalService implements OnModuleDestroy {
  private readonly waiting = new Map<number, Set<() => void>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly notifications: DatabaseNotifications) {}

  /** Calls `wake` at each change of the organisation until the returned function is called. */
  subscribe(orgId: number, wake: () => void): () => void {
    this.begin();
    const wakes = this.waiting.get(orgId) ?? new Set();
    this.waiting.set(orgId, wakes.add(wake));
    return () => {
      wakes.delete(wake);
      if (wakes.size === 0 && this.waiting.get(orgId) === wakes) this.waiting.delete(orgId);
    };
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private begin(): void {
    if (this.timer !== undefined) return;
    this.timer = setInterval(() => this.wakeAll(), LOOK_ANYWAY_MS).unref();
    this.notifications.listen(STREAM_CHANNEL, (payload) => {
      if (payload === undefined) this.wakeAll();
      else for (const orgId of payload.split(',')) this.wake(Number(orgId));
    });
  }

  private wake(orgId: number): void {
    for (const wake of [...(this.waiting.get(orgId) ?? [])]) wake();
  }

  private wakeAll(): void {
    for (const orgId of [...this.waiting.keys()]) this.wake(orgId);
  }
}

const BEAT_MS = 15_000;
/** Delay after which browsers reconnect, when the connection has ended. */
const RECONNECT_MS = 3000;

/** The position at which a client starts, and its first events. */
interface Start {
  position: number;
  resync?: string;
}

/** Sends the events of an organisation to clients while they listen. */
@Injectable()
export class StreamService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(StreamService.name);
  private readonly listeners = new Set<StreamListener>();
  private isStopping = false;

  constructor(
    private readonly events: StreamRepository,
    private readonly pages: StreamPagesService,
    private readonly signal: StreamSignalService,
    private readonly admission: StreamAdmissionService,
    private readonly config: StreamConfig,
    private readonly clock: Clock,
  ) {}

  /** Number of clients that listen to this process. */
  get size(): number {
    return this.listeners.size;
  }

  /** Resolves when the stream has ended. @throws TooManyStreamsError */
  async listen(
    caller: KnownCaller,
    params: StreamParams,
    { request, response }: { request: EdgeRequest; response: Response },
  ): Promise<void> {
    const orgId = caller.org.id;
    if (request.method === 'HEAD') {
      sendHead(response).end();
      return;
    }
    const admitted = await this.admission.admit(caller, presentedToken(request));
    let unsubscribe: (() => void) | undefined;
    let beat: NodeJS.Timeout | undefined;
    let listener: StreamListener | undefined;
    try {
      const start = await this.startOf(orgId, request.get('last-event-id') ?? params.last_event_id);
      if (response.destroyed) return;
      listener = this.listenerOf(caller, params, response, start.position);
      this.listeners.add(listener);
      unsubscribe = this.signal.subscribe(orgId, () => listener?.wake());
      admitted.watch(listener);
      beat = setInterval(() => listener?.beat(), BEAT_MS);
      sendHead(response).write(`retry: ${String(RECONNECT_MS)}\nid: ${String(start.position)}\n\n`);
      // A stream that begins after the others were ended would keep the process from stopping.
      if (this.isStopping) listener.end('server_stopping');
      else if (start.resync !== undefined) await listener.resync(start.resync, start.position);
      await listener.run();
    } finally {
      clearInterval(beat);
      unsubscribe?.();
      if (listener) this.listeners.delete(listener);
      await admitted.release();
    }
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
    for (const listener of this.listeners) listener.end('server_stopping');
  }

  private listenerOf(
    caller: KnownCaller,
    { types, chips }: StreamParams,
    response: Response,
    position: number,
  ): StreamListener {
    const wanted: ReadonlySet<StreamEventType> = new Set(types);
    return new StreamListener(response, {
      caller,
      position,
      now: () => this.clock.now(),
      isWanted: ({ type }) => wanted.size === 0 || wanted.has(type),
      ...(chips === undefined ? {} : { chips: compileChips(chips) }),
      timeoutMs: this.config.timeoutSeconds * 1000,
      onFailure: (error) => this.logger.debug(`Events could not be read: ${messageOf(error)}`),
      pageAfter: (id) => this.pages.after(caller.org.id, id),
    });
  }

  /** After the last event that the client has received, if all events after it can be sent; otherwise at the end. */
  private async startOf(orgId: number, lastEventId: string | undefined): Promise<Start> {
    const { floor, head } = await this.events.bounds(orgId);
    if (lastEventId === undefined || lastEventId === '') return { position: head };
    const known = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
    if (known === undefined || known > head) return { position: head, resync: 'unknown_event' };
    if (known < floor) return { position: head, resync: 'too_old' };
    const { count, first } = await this.events.countAfter(orgId, known, MAX_REPLAYED + 1);
    if (count > MAX_REPLAYED) return { position: head, resync: 'too_many' };
    const isTooOld = first !== null && first < this.clock.now() - STREAM_KEPT_SECONDS;
    return isTooOld ? { position: head, resync: 'too_old' } : { position: known };
  }
}

function sendHead(response: Response): Response {
  // Buffering proxies would delay events.
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  return response;
}
