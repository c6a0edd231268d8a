import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { pageOf } from '../../common/paging/paging.js';
import { type Chip, parseChips } from '../../data/chips/chips.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { AlertOutboxService } from '../alert/alert-outbox.service.js';
import {
  type ChipCompletionsDto,
  type WatcherAnswerDto,
  type WatcherDto,
  type WatchersDto,
} from './dto/watcher.dto.js';
import { type CompleteChipsParams, type ListWatchersParams } from './dto/watcher.params.js';
import { WatcherMetricsRepository } from './watcher-metrics.repository.js';
import { WatcherPresenterService } from './watcher-presenter.service.js';
import { WatcherWriterService } from './watcher-writer.service.js';
import { WatcherRepository } from './watcher.repository.js';
import { type Watcher } from './watcher.types.js';
import { WatcherDirectoryService } from './watcher-directory.service.js';

const MAX_NAMES = 1000;
const MAX_ALERTS = 50;

/** Finds watchers and describes them. */
@Injectable()
export class WatcherReaderService {
  constructor(
    private readonly watchers: WatcherDirectoryService,
    private readonly rows: WatcherRepository,
    private readonly writer: WatcherWriterService,
    private readonly presenter: WatcherPresenterService,
    private readonly covered: WatcherMetricsRepository,
    private readonly metrics: MetricService,
    private readonly outbox: AlertOutboxService,
  ) {}

  /** Also returns one that was deleted in the last 30 days. @throws WatcherNotFoundError */
  async get(caller: KnownCaller, id: number): Promise<WatcherAnswerDto> {
    const watcher = await this.writer.getWatcher(caller.org.id, id);
    const [record, metrics, alerts] = await Promise.all([
      this.present(caller, watcher),
      this.metricNames(caller.org.id, parseChips(watcher.chips)),
      this.outbox.deliveriesOf(caller, { watcherId: id }, MAX_ALERTS),
    ]);
    return { watcher: record, metrics, alerts };
  }

  async list(caller: KnownCaller, query: ListWatchersParams): Promise<WatchersDto> {
    const orgId = caller.org.id;
    const rows = query.include_deleted ? await this.rows.listAll(orgId) : await this.rows.listLive(orgId);
    const all = (await this.watchers.complete(orgId, rows)).filter(
      (watcher) => !this.writer.isForgotten(watcher) && (query.type === undefined || watcher.type === query.type),
    );
    const found = query.chips === undefined ? all : await this.sharing(orgId, query.chips, all);
    const sorted = await this.sort(orgId, found, query.order);
    const page = sorted.slice(query.offset, query.offset + query.limit);
    return { watchers: await this.presenter.present(caller, page), ...pageOf(query, found.length) };
  }

  /** Chips that begin with or contain the typed text, by the number of remaining metrics, descending. */
  async completeChips(caller: KnownCaller, { q, chips = [], limit }: CompleteChipsParams): Promise<ChipCompletionsDto> {
    return { chips: await this.metrics.completeChips(caller.org, { chips, typed: q, limit }) };
  }

  async present(caller: KnownCaller, watcher: Watcher): Promise<WatcherDto> {
    const [record] = await this.presenter.present(caller, [watcher], true);
    return record!;
  }

  metricNames(orgId: number, chips: readonly Chip[]): Promise<string[]> {
    return this.covered.names(orgId, chips, MAX_NAMES);
  }

  private async sharing(orgId: number, chips: readonly Chip[], watchers: readonly Watcher[]): Promise<Watcher[]> {
    const lists = watchers.map((watcher) => parseChips(watcher.chips));
    const places = await this.covered.sharing(orgId, chips, lists);
    return watchers.filter((_, place) => places.has(place));
  }

  private async sort(
    orgId: number,
    watchers: readonly Watcher[],
    order: ListWatchersParams['order'],
  ): Promise<Watcher[]> {
    const newest = (one: Watcher, other: Watcher): number =>
      other.createdTimestamp - one.createdTimestamp || other.id - one.id;
    if (order === 'newest') return [...watchers].sort(newest);
    if (order === 'name') {
      return [...watchers].sort((one, other) => byName.compare(one.name, other.name) || one.id - other.id);
    }
    const facts = await this.presenter.facts(
      orgId,
      watchers.map(({ id }) => id),
    );
    const lastOf = ({ id }: Watcher): number => facts.get(id)?.lastTimestamp ?? 0;
    return [...watchers].sort((one, other) => lastOf(other) - lastOf(one) || newest(one, other));
  }
}

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
