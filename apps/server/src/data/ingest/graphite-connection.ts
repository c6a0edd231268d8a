import { type Socket } from 'node:net';
import { GraphiteReader } from '#libs/protocols';
import { type ByteShare } from '../../common/fair-share/byte-budget.js';
import { type GraphiteStoreService } from './graphite-store.service.js';

/** Number of points that are stored together; while this many wait behind the points being stored, nothing is read. */
const BATCH_POINTS = 5000;
/** Time that the first point of a batch waits for others. */
const BATCH_MS = 200;
/** Names, columns and counters of a chunk of lines use several times its length. */
const MEMORY_FACTOR = 4;
/** Pause before memory is requested again after the budget was used up. */
const MEMORY_PAUSE_MS = 100;

/**
 * One Graphite sender. Lines are read as they arrive and stored in batches, one after the other. While a batch waits to
 * be stored, at most one more is collected; then the connection is not read, and the queue of the sender must contain
 * further lines, so that nothing is dropped.
 */
export class GraphiteConnection {
  private readonly reader = new GraphiteReader();
  /** A chunk that waits for memory. */
  private waitingChunk: Buffer | undefined;
  /** Bytes of the budget reserved for the data of the reader. */
  private readBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private storing: Promise<void> | undefined;
  private isOver = false;
  /** The organisation of the last stored lines; unknown until a token of this connection was valid. */
  private orgId: number | undefined;

  /** @param giveUp see GraphiteStoreService.store */
  constructor(
    private readonly socket: Socket,
    private readonly address: string,
    private readonly store: GraphiteStoreService,
    private readonly share: ByteShare,
    idleSeconds: number,
    private readonly giveUp: AbortSignal,
  ) {
    socket.setNoDelay(true);
    socket.setTimeout(idleSeconds * 1000);
    socket.on('timeout', () => {
      // While this side does not read, silence does not mean that the sender is idle.
      if (socket.isPaused()) socket.setTimeout(idleSeconds * 1000);
      else socket.destroy();
    });
    socket.on('data', (chunk) => this.receive(chunk));
    // Broken connections end like closed ones; lines that were read are stored.
    socket.on('error', () => undefined);
  }

  /**
   * Stops reading, stores the lines that were read, and closes the connection. Call it also when the sender has closed
   * it.
   */
  async finish(): Promise<void> {
    if (!this.isOver) {
      this.isOver = true;
      this.socket.pause();
      if (this.waitingChunk) this.push(this.waitingChunk);
      this.waitingChunk = undefined;
      this.reader.end(this.store.limits(this.orgId));
    }
    do await this.flush();
    while (this.reader.pending > 0);
    this.share.release();
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    if (this.isOver) return;
    if (!this.share.tryReserve(chunk.length * MEMORY_FACTOR)) {
      this.waitForMemory(chunk);
      return;
    }
    this.readBytes += chunk.length * MEMORY_FACTOR;
    this.push(chunk);
    if (this.reader.pending >= BATCH_POINTS) {
      if (this.storing) this.socket.pause();
      else void this.flush();
    } else if (this.reader.pending > 0) {
      this.timer ??= setTimeout(() => void this.flush(), BATCH_MS);
    } else {
      this.releaseShare();
    }
  }

  private push(chunk: Buffer): void {
    this.reader.push(chunk, this.store.limits(this.orgId));
  }

  /** The lines that this connection has already read are stored first, which frees memory. */
  private waitForMemory(chunk: Buffer): void {
    this.socket.pause();
    this.waitingChunk = chunk;
    void this.flush().then(() => {
      setTimeout(() => this.resume(), MEMORY_PAUSE_MS);
    });
  }

  private resume(): void {
    if (this.isOver) return;
    const chunk = this.waitingChunk;
    this.waitingChunk = undefined;
    if (chunk) this.receive(chunk);
    if (this.mayRead()) this.socket.resume();
  }

  private mayRead(): boolean {
    const isBatchWaiting = this.storing !== undefined && this.reader.pending >= BATCH_POINTS;
    return this.waitingChunk === undefined && !isBatchWaiting;
  }

  /** Stores all lines that were read; calls during this wait for the same end. Never rejects. */
  private flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.storing ??= this.storeAll().finally(() => {
      this.storing = undefined;
      if (this.reader.pending > 0 && !this.isOver) this.timer ??= setTimeout(() => void this.flush(), BATCH_MS);
    });
    return this.storing;
  }

  private async storeAll(): Promise<void> {
    while (this.reader.pending > 0) {
      const batches = this.reader.take();
      const held = this.readBytes;
      this.readBytes = 0;
      for (const batch of batches) {
        const orgId = await this.store.store(batch, this.address, this.giveUp);
        if (orgId === undefined) continue;
        // From now on, the bytes count for the organisation, whatever addresses it sends from.
        if (this.orgId !== orgId) this.share.identified(`org:${String(orgId)}`);
        this.orgId = orgId;
      }
      this.share.releaseBytes(held);
      if (this.orgId === undefined) {
        // A sender without a token will not have one in its next line either.
        this.socket.destroy();
        return;
      }
      if (!this.isOver && this.waitingChunk === undefined) this.socket.resume();
    }
  }

  private releaseShare(): void {
    this.share.releaseBytes(this.readBytes);
    this.readBytes = 0;
  }
}
