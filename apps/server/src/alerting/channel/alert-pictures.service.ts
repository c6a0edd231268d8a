import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type AlertContent } from '#libs/alerting';
import { Clock } from '../../common/clock.js';
import { messageOf } from '../../common/errors/message-of.js';
import { HOUR } from '../../common/time.js';

/** Which picture of a metric is wanted. Times in Unix seconds. */
export interface PictureWish {
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
  /** PNG */
  draw(wish: PictureWish): Promise<Uint8Array>;
}

export type PictureSize = Pick<PictureWish, 'width' | 'height' | 'scale'>;

/** A message waits for its picture this long at most. */
const DEADLINE_MS = 1500;
/** A picture shows so much before and after what it is about: enough to see what was usual, and what is not. */
const LEAD_SECONDS = 5 * HOUR;
const TAIL_SECONDS = HOUR;
/** One message goes to many at about the same time. */
const KEPT_MS = 60_000;
const MOST_KEPT = 50;

/** The pictures in messages. Without a source, or in time, there is none: the message has a link besides. */
@Injectable()
export class AlertPictures {
  private readonly logger = new Logger(AlertPictures.name);
  private source: PictureSource | undefined;
  private readonly drawn = new LRUCache<string, Promise<Uint8Array>>({ max: MOST_KEPT, ttl: KEPT_MS });

  constructor(private readonly clock: Clock) {}

  register(source: PictureSource): void {
    this.source = source;
  }

  /** Of the worst metric of the message, around the time that it is about; null where there is none in time. */
  async find(content: AlertContent, size: PictureSize, deadlineMs = DEADLINE_MS): Promise<Buffer | null> {
    const [worst] = content.items;
    if (this.source === undefined || worst === undefined) return null;
    const now = Math.floor(this.clock.now());
    const until = Math.min(now, Math.floor(worst.end ?? now) + TAIL_SECONDS);
    const wish = {
      orgId: content.org.id,
      metricId: worst.metricId,
      from: Math.floor(worst.start) - LEAD_SECONDS,
      until,
      ...size,
    };
    const picture = await inTime(this.draw(wish, this.source), deadlineMs);
    return picture === null ? null : Buffer.from(picture);
  }

  /** Null when it fails: the log says why. */
  private async draw(wish: PictureWish, source: PictureSource): Promise<Uint8Array | null> {
    // Within a minute nobody sees the difference.
    const minute = Math.floor(wish.until / 60);
    const key = JSON.stringify([wish.orgId, wish.metricId, wish.from, minute, wish.width, wish.height, wish.scale]);
    let drawing = this.drawn.get(key);
    if (drawing === undefined) {
      drawing = source.draw(wish);
      this.drawn.set(key, drawing);
    }
    try {
      return await drawing;
    } catch (error) {
      this.drawn.delete(key);
      this.logger.warn(`A message goes without its picture of metric ${String(wish.metricId)}: ${messageOf(error)}`);
      return null;
    }
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
