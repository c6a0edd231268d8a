import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type KnownCaller } from '../../common/auth/caller.js';
import { FoldedTarget } from '../../data/chips/chips-match.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { StreamRendererService } from './stream-renderer.service.js';
import { StreamRepository } from './stream.repository.js';
import { type StreamRow } from './stream.types.js';

/** Consecutive events, with the data that listeners need. */
export interface StreamPage {
  rows: readonly StreamRow[];
  /** The text of each row for a caller; null if there is nothing to send. */
  textsFor(caller: KnownCaller): Promise<readonly (string | null)[]>;
  /** The metrics of the rows by id, for filter chips. */
  targets(): Promise<ReadonlyMap<number, FoldedTarget>>;
}

/** Maximum number of cached pages: a page takes up to some hundred kilobytes for each kind of caller. */
const MAX_KEPT = 128;

/** Pages are read and rendered once for all listeners, which proceed from page to page together. */
@Injectable()
export class StreamPagesService {
  private readonly pages = new LRUCache<string, StreamPage>({ max: MAX_KEPT });
  private readonly asking = new Map<string, Promise<StreamPage | null>>();

  constructor(
    private readonly events: StreamRepository,
    private readonly renderer: StreamRendererService,
    private readonly metrics: MetricService,
  ) {}

  /** The events after `id`; null if there are none yet. */
  after(orgId: number, id: number): Promise<StreamPage | null> {
    const key = `${String(orgId)}/${String(id)}`;
    const kept = this.pages.get(key);
    if (kept) return Promise.resolve(kept);
    const asked = this.asking.get(key);
    if (asked) return asked;
    const question = this.read(orgId, id, key).finally(() => this.asking.delete(key));
    this.asking.set(key, question);
    return question;
  }

  private async read(orgId: number, id: number, key: string): Promise<StreamPage | null> {
    const rows = await this.events.after(orgId, id);
    if (rows.length === 0) return null;
    const page = this.pageOf(orgId, rows);
    this.pages.set(key, page);
    return page;
  }

  private pageOf(orgId: number, rows: readonly StreamRow[]): StreamPage {
    const texts = new Map<string, Promise<(string | null)[]>>();
    let targets: Promise<ReadonlyMap<number, FoldedTarget>> | undefined;
    return {
      rows,
      textsFor: (caller) => {
        const view = viewOf(caller);
        const rendered = texts.get(view) ?? this.renderer.render(caller, rows);
        texts.set(view, rendered);
        // The next caller retries.
        rendered.catch(() => texts.delete(view));
        return rendered;
      },
      targets: () => {
        targets ??= this.targetsOf(orgId, rows);
        targets.catch(() => (targets = undefined));
        return targets;
      },
    };
  }

  private async targetsOf(orgId: number, rows: readonly StreamRow[]): Promise<ReadonlyMap<number, FoldedTarget>> {
    const ids = [...new Set(rows.map(({ metricId }) => metricId))].filter((id) => id !== null);
    const metrics = await this.metrics.findByIds(orgId, ids);
    return new Map(metrics.map((metric) => [metric.id, new FoldedTarget(metric)]));
  }
}

/**
 * Callers with the same key see the same records: a text that is rendered for one of them serves all. If the visibility
 * of records changes, this key must change too.
 */
function viewOf(caller: KnownCaller): string {
  const rights = `${String(caller.org.id)} ${caller.org.timezone} ${String(caller.permissions)}`;
  // A tour is shown only to its own user.
  return caller.kind === 'token' ? `${rights} token` : `${rights} user ${String(caller.userId)}`;
}
