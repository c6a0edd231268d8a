import { Injectable } from '@nestjs/common';
import { type Tx } from '../../common/database/transactions.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { HOUR } from '../../common/time.js';
import { type MetricChange } from './metric-registry.types.js';
import { RegistryChangesRepository, type WrittenChange } from './registry-changes.repository.js';

/** @param isOwn created by this process */
export type ChangeListener = (change: MetricChange, isOwn: boolean) => void;

const POLL_EVERY_MS = 2000;
/** A change becomes readable when its transaction ends, possibly after changes with a later time. */
const OVERLAP_SECONDS = 60;
const KEPT_SECONDS = HOUR;
const DELETE_EVERY_POLLS = 300;

/**
 * Notifies every process of changes of metrics: immediately within the process, within about two seconds in others. It
 * polls a table instead of using LISTEN: a broken connection then delays a notice but never loses it.
 */
@Injectable()
export class RegistryChangesService extends RecurringWork {
  private readonly listeners: ChangeListener[] = [];
  /** Changes that listeners were already notified of and that the next poll may still find. */
  private processed = new Set<string>();
  /** Own changes since the start of the last poll, which may have been too early to find them. */
  private readonly announced = new Set<string>();
  private polledAt: number | null = null;
  private polls = 0;
  private polling: Promise<void> | undefined;

  constructor(private readonly changes: RegistryChangesRepository) {
    super({ everyMs: POLL_EVERY_MS, failure: 'Changes of metrics could not be read', logEvery: Infinity });
  }

  override async onApplicationBootstrap(): Promise<void> {
    await this.runAndLog();
    super.onApplicationBootstrap();
  }

  run(): Promise<void> {
    return this.poll();
  }

  /** Call it when the process starts; a listener must not throw. */
  subscribe(listener: ChangeListener): void {
    this.listeners.push(listener);
  }

  /** First step, in the transaction of the change. */
  async write(change: MetricChange, tx?: Tx): Promise<WrittenChange> {
    return { ...change, id: await this.changes.insert(change, tx) };
  }

  /** Second step, after the commit: notifies the listeners of this process. */
  announce(change: WrittenChange): void {
    this.announced.add(change.id);
    // A poll between the commit and this call was faster.
    if (this.processed.has(change.id)) return;
    this.processed.add(change.id);
    this.notify(change, true);
  }

  /** Notifies of changes by other processes. After a failure the next poll covers a longer period. */
  poll(): Promise<void> {
    this.polling ??= this.readOthers().finally(() => (this.polling = undefined));
    return this.polling;
  }

  /** Commands too: they cache metrics in memory. */
  protected override isWanted(): boolean {
    return true;
  }

  private async readOthers(): Promise<void> {
    const startedAt = performance.now();
    this.announced.clear();
    const since = this.polledAt === null ? 0 : (startedAt - this.polledAt) / 1000;
    const found = await this.changes.findSince(since + OVERLAP_SECONDS);
    // Changes from before this process cached anything do not concern it.
    const fresh = this.polledAt === null ? [] : found.filter(({ id }) => !this.processed.has(id));
    this.processed = new Set([...found.map(({ id }) => id), ...this.announced]);
    this.polledAt = startedAt;
    for (const change of fresh) this.notify(change, false);
    if (++this.polls % DELETE_EVERY_POLLS === 0) await this.changes.deleteBefore(KEPT_SECONDS);
  }

  private notify(change: MetricChange, isOwn: boolean): void {
    for (const listener of this.listeners) listener(change, isOwn);
  }
}
