import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import { type AlertContent } from '#libs/alerting';
import { Clock } from '../../common/clock.js';
import { messageOf } from '../../common/errors/message-of.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { HOUR } from '../../common/time.js';
import { type ChannelMessage } from './channel.types.js';

/** The requested picture of a metric. Times in Unix seconds. */
export interface PictureRequest {
  orgId: number;
  metricId: number;
  from: number;
  until: number;
  /** Size in the message; the file has `scale` times as many pixels each way. */
  width: number;
  height: number;
  scale: number;
}

/** Draws pictures of metrics. Implemented by an area above this neighbourhood. */
export interface PictureSource {
  /**
   * PNG. @param abandoned aborted when the picture is too late for all callers: drawing that has not begun is skipped
   */
  draw(request: PictureRequest, abandoned: AbortSignal): Promise<Uint8Array>;
}

export type PictureSize = Pick<PictureRequest, 'width' | 'height' | 'scale'>;

/** A message is sent this long after it was queued, with or without its picture. */
const DEADLINE_MS = 1000;
/**
 * A message that has waited for other reasons, such as an unavailable server, waits at most this long for its picture.
 */
const SHORTEST_WAIT_MS = 250;
/** Time that a picture shows before and after its subject: enough to see the usual and the unusual values. */
const LEAD_SECONDS = 5 * HOUR;
const TAIL_SECONDS = HOUR;
/** One message goes to many recipients at about the same time. */
const KEPT_MS = 60_000;
const MAX_KEPT = 50;

/** A picture that is being drawn, or is finished. */
interface Drawing {
  /** Null if it fails. */
  picture: Promise<Uint8Array | null>;
  isDone: boolean;
  /** Number of messages that wait for it. */
  waiting: number;
  abandoned: AbortController;
}

/** The pictures in messages. Without a source, or if it takes too long, there is none: the message also has a link. */
@Injectable()
export class AlertPicturesService {
  private readonly logger = new Logger(AlertPicturesService.name);
  private source: PictureSource | undefined;
  private readonly drawn = new LRUCache<string, Drawing>({ max: MAX_KEPT, ttl: KEPT_MS });
  private readonly results: Counter<'result'>;

  constructor(
    private readonly clock: Clock,
    metrics: MetricsRegistry,
  ) {
    this.results = new Counter({
      name: 'plumbline_alert_pictures_total',
      help: 'Pictures requested for messages of alerts: drawn (in time), late (the message was sent without it), failed.',
      labelNames: ['result'],
      registers: [metrics.prometheus],
    });
  }

  register(source: PictureSource): void {
    this.source = source;
    this.drawn.clear();
  }

  /** The picture of a message that is being sent; null if it is not ready in time. */
  findFor({ content, createdAt }: Pick<ChannelMessage, 'content' | 'createdAt'>, size: PictureSize) {
    const waitedMs = (this.clock.now() - createdAt) * 1000;
    return this.find(content, size, Math.min(DEADLINE_MS, Math.max(SHORTEST_WAIT_MS, DEADLINE_MS - waitedMs)));
  }

  /**
   * A picture of the worst metric of the message, around the time that it is about; null if it is not ready in time.
   */
  async find(content: AlertContent, size: PictureSize, deadlineMs = DEADLINE_MS): Promise<Buffer | null> {
    const [worst] = content.items;
    if (this.source === undefined || worst === undefined) return null;
    const now = Math.floor(this.clock.now());
    const until = Math.min(now, Math.floor(worst.end ?? now) + TAIL_SECONDS);
    const request = {
      orgId: content.org.id,
      metricId: worst.metricId,
      from: Math.floor(worst.start) - LEAD_SECONDS,
      until,
      ...size,
    };
    const drawing = this.drawingOf(request, this.source);
    drawing.waiting++;
    const picture = await inTime(drawing.picture, deadlineMs);
    drawing.waiting--;
    this.results.inc({ result: picture !== null ? 'drawn' : drawing.isDone ? 'failed' : 'late' });
    // Drawing without a waiting message would delay the next pictures.
    if (drawing.waiting === 0 && !drawing.isDone) drawing.abandoned.abort();
    return picture === null ? null : Buffer.from(picture);
  }

  private drawingOf(request: PictureRequest, source: PictureSource): Drawing {
    // Within a minute the difference is not visible.
    const minute = Math.floor(request.until / 60);
    const key = JSON.stringify([
      request.orgId,
      request.metricId,
      request.from,
      minute,
      request.width,
      request.height,
      request.scale,
    ]);
    const known = this.drawn.get(key);
    if (known !== undefined && (known.isDone || !known.abandoned.signal.aborted)) return known;
    const abandoned = new AbortController();
    const drawing: Drawing = { picture: Promise.resolve(null), isDone: false, waiting: 0, abandoned };
    drawing.picture = source
      .draw(request, abandoned.signal)
      .catch((error: unknown) => {
        if (this.drawn.peek(key) === drawing) this.drawn.delete(key);
        if (!abandoned.signal.aborted) {
          this.logger.warn(
            `A message goes without its picture of metric ${String(request.metricId)}: ${messageOf(error)}`,
          );
        }
        return null;
      })
      .finally(() => (drawing.isDone = true));
    this.drawn.set(key, drawing);
    return drawing;
  }
}

async function inTime<T>(result: Promise<T>, deadlineMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<null>((resolve) => (timer = setTimeout(resolve, deadlineMs, null)));
  try {
    return await Promise.race([result, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
