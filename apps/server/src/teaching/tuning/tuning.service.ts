import { Injectable } from '@nestjs/common';
import { ANOMALY_KINDS } from '#libs/contracts';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { pageOf } from '../../common/paging/paging.js';
import { matchesChips, parseChips } from '../../data/chips/chips.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { UserService } from '../../people/user/user.service.js';
import { type TuningAnswerDto, type TuningChangedDto, type TuningDto, type TuningsDto } from './dto/tuning.dto.js';
import { type CreateTuningParams, type ListTuningsParams, type UpdateTuningParams } from './dto/tuning.params.js';
import { TuningActsService } from './tuning-acts.service.js';
import { byPrecedence, sameTuningKey } from './tuning-comparison.js';
import { TuningEntity } from './tuning.entity.js';
import { TuningLimitReachedError, TuningNotFoundError } from './tuning.errors.js';
import { TuningRepository } from './tuning.repository.js';
import { type TuningSettings } from './tuning.types.js';

const MAX_PER_ORG = 200;

/** Settings of detection for the metrics that chips select. */
@Injectable()
export class TuningService {
  constructor(
    private readonly tunings: TuningRepository,
    private readonly acts: TuningActsService,
    private readonly metrics: MetricService,
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Newest first; for one metric, the one that applies to it first. */
  async list(caller: KnownCaller, params: ListTuningsParams): Promise<TuningsDto> {
    let found = (await this.tunings.listAll(caller.org.id)).reverse();
    if (params.metric !== undefined) {
      const metric = await this.metrics.resolve(caller.org.id, params.metric, 'metric');
      found = found.filter(({ chips }) => matchesChips(parseChips(chips), metric)).sort(byPrecedence);
    }
    const shown = found.slice(params.offset, params.offset + params.limit);
    return { tunings: await this.present(caller, shown), ...pageOf(params, found.length) };
  }

  /** @throws TuningNotFoundError */
  async get(caller: KnownCaller, id: number): Promise<TuningAnswerDto> {
    return this.answer(caller, await this.getRow(caller, id));
  }

  /** If there is one with the same name and chips, it is returned unchanged. @throws TuningLimitReachedError */
  async create(caller: KnownCaller, params: CreateTuningParams): Promise<TuningChangedDto> {
    const tuning = await this.transactions.run((tx) => this.createIn(caller, params, tx));
    return this.changed(caller, tuning);
  }

  /** The same within a transaction. @throws TuningLimitReachedError */
  async createIn(caller: KnownCaller, params: CreateTuningParams, tx: Tx): Promise<TuningEntity> {
    const orgId = caller.org.id;
    await this.orgs.lock(orgId, tx);
    const chips = params.chips.map(({ text }) => text);
    const key = sameTuningKey(params.name ?? '', chips);
    // If changes have made several tunings equal, the newest one counts.
    const same = (await this.tunings.listAll(orgId, tx)).findLast((one) => sameTuningKey(one.name, one.chips) === key);
    if (same) return same;
    if ((await this.tunings.count(orgId, tx)) >= MAX_PER_ORG) throw new TuningLimitReachedError(MAX_PER_ORG);
    const inserted = await this.tunings.insert(
      {
        ...settingsOf(params),
        orgId,
        kinds: [...(params.kinds ?? [])],
        name: params.name ?? '',
        chips,
        createdBy: caller.kind === 'user' ? caller.userId : null,
        createdAt: this.now(),
        deletedAt: null,
      },
      tx,
    );
    await this.acts.record(caller, null, inserted, tx);
    await this.tunings.scheduleApplication(orgId, this.now(), tx);
    return inserted;
  }

  /** Changes only the given members. @throws TuningNotFoundError */
  async update(caller: KnownCaller, id: number, params: UpdateTuningParams): Promise<TuningChangedDto> {
    const tuning = await this.transactions.run((tx) => this.updateIn(caller, id, params, tx));
    return this.changed(caller, tuning);
  }

  /** The same within a transaction. @throws TuningNotFoundError */
  async updateIn(caller: KnownCaller, id: number, params: UpdateTuningParams, tx: Tx): Promise<TuningEntity> {
    const orgId = caller.org.id;
    await this.orgs.lock(orgId, tx);
    const before = await this.getRow(caller, id, tx);
    const { name = before.name } = params;
    const settings = settingsOf(params, before);
    const chips = params.chips?.map(({ text }) => text) ?? before.chips;
    const changed = { ...settings, kinds: [...settings.kinds], name, chips };
    const after = Object.assign(new TuningEntity(), before, changed);
    await this.tunings.update(orgId, id, changed, tx);
    await this.acts.record(caller, before, after, tx);
    await this.tunings.scheduleApplication(orgId, this.now(), tx);
    return after;
  }

  /** @throws TuningNotFoundError */
  async delete(caller: KnownCaller, id: number): Promise<TuningChangedDto> {
    const tuning = await this.transactions.run(async (tx) => {
      const found = await this.tunings.findEver(caller.org.id, id, tx);
      return found?.deletedAt ? found : this.deleteIn(caller, id, tx);
    });
    return this.changed(caller, tuning);
  }

  /** The same within a transaction. @throws TuningNotFoundError */
  async deleteIn(caller: KnownCaller, id: number, tx: Tx): Promise<TuningEntity> {
    const orgId = caller.org.id;
    await this.orgs.lock(orgId, tx);
    const found = await this.getRow(caller, id, tx);
    if (!(await this.tunings.markDeleted(orgId, id, this.now(), tx))) throw new TuningNotFoundError(id);
    await this.acts.record(caller, found, null, tx);
    await this.tunings.scheduleApplication(orgId, this.now(), tx);
    return found;
  }

  /** The stored rows, oldest first. */
  listRows(orgId: number, tx: Tx): Promise<TuningEntity[]> {
    return this.tunings.listAll(orgId, tx);
  }

  private async getRow(caller: KnownCaller, id: number, tx?: Tx): Promise<TuningEntity> {
    const row = await this.tunings.findById(caller.org.id, id, tx);
    if (!row) throw new TuningNotFoundError(id);
    return row;
  }

  private async changed(caller: KnownCaller, row: TuningEntity): Promise<TuningChangedDto> {
    const { tuning } = await this.answer(caller, row);
    return { tuning, message: 'OK' };
  }

  private async answer(caller: KnownCaller, row: TuningEntity): Promise<TuningAnswerDto> {
    const [tuning] = await this.present(caller, [row]);
    return { tuning: tuning! };
  }

  private async present(caller: KnownCaller, rows: readonly TuningEntity[]): Promise<TuningDto[]> {
    const creators = [...new Set(rows.flatMap(({ createdBy }) => createdBy ?? []))];
    const names = await this.users.displayNames(caller, creators);
    const counts = await Promise.all(
      rows.map(({ orgId, chips }) => this.tunings.countMetrics(orgId, parseChips(chips))),
    );
    return rows.map((row, index) => toDto(row, counts[index]!, names.get(row.createdBy ?? 0) ?? null));
  }

  private now(): Date {
    return new Date(this.clock.now() * 1000);
  }
}

const NOTHING_SET: TuningSettings = {
  sensitivity: 1,
  direction: 'both',
  kinds: [],
  minDurationSeconds: 0,
  periodSeconds: null,
  minimumSize: null,
  falseAlarmsPerMonth: null,
};

/** Omitted members keep their values, or get their defaults. */
export function settingsOf(params: UpdateTuningParams, before: TuningSettings = NOTHING_SET): TuningSettings {
  const { period_seconds: period, minimum_size: size, false_alarms_per_month: budget } = params;
  return {
    sensitivity: params.sensitivity ?? before.sensitivity,
    direction: params.direction ?? before.direction,
    kinds: params.kinds ?? before.kinds,
    minDurationSeconds: params.min_duration_seconds ?? before.minDurationSeconds,
    periodSeconds: period === undefined ? before.periodSeconds : period,
    minimumSize: size === undefined ? before.minimumSize : size,
    falseAlarmsPerMonth: budget === undefined ? before.falseAlarmsPerMonth : budget,
  };
}

function toDto(tuning: TuningEntity, metrics: number, creator: string | null): TuningDto {
  return {
    id: tuning.id,
    chips: tuning.chips,
    name: tuning.name,
    sensitivity: tuning.sensitivity,
    direction: tuning.direction,
    kinds: tuning.kinds.length === 0 ? [...ANOMALY_KINDS] : tuning.kinds,
    min_duration_seconds: tuning.minDurationSeconds,
    period_seconds: tuning.periodSeconds,
    minimum_size: tuning.minimumSize,
    false_alarms_per_month: tuning.falseAlarmsPerMonth,
    metrics_count: metrics,
    created_by_display_name: creator,
    created_timestamp: Math.floor(tuning.createdAt.getTime() / 1000),
  };
}
