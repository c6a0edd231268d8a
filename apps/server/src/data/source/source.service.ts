import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Clock } from '../../common/clock.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { ValidationFailedError } from '../../common/errors/app-error.js';
import { pageOf } from '../../common/paging/paging.js';
import { OrgService } from '../../people/org/org.service.js';
import {
  type SourceAnswerDto,
  type SourceChangedDto,
  type SourceDto,
  type SourcesDto,
  type SourceUpdatedDto,
} from './dto/source.dto.js';
import {
  type CreateSourceParams,
  type ListSourcesParams,
  sourceProblems,
  type UpdateSourceParams,
} from './dto/source.params.js';
import { FIRST_INTERVALS } from './reading/plan-read.js';
import { SourceActsService } from './source-acts.service.js';
import { SourceAddressesService } from './source-addresses.service.js';
import { type Definition, definitionOf, HIDDEN } from './source-definition.js';
import { fieldsOf } from './source-fields.js';
import { SourceSecretsService } from './source-secrets.service.js';
import { type SourceWriteBackEntity } from './source-write-back.entity.js';
import { SourceEntity } from './source.entity.js';
import { SourceLimitReachedError, SourceNameTakenError, SourceNotFoundError } from './source.errors.js';
import { SourceRepository } from './source.repository.js';
import { type SourceSecrets, type SourceState } from './source.types.js';

const MAX_PER_ORG = 200;

/** A source after a change within a transaction. */
export interface ChangedSource {
  source: SourceEntity;
  details: Definition['details'];
}

/** Settings of sources: queries on other systems whose results are fetched. */
@Injectable()
export class SourceService {
  constructor(
    private readonly sources: SourceRepository,
    private readonly acts: SourceActsService,
    private readonly addresses: SourceAddressesService,
    private readonly secrets: SourceSecretsService,
    private readonly orgs: OrgService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** By name. */
  async list(caller: KnownCaller, params: ListSourcesParams): Promise<SourcesDto> {
    const found = await this.sources.listAll(caller.org.id);
    const shown = found.slice(params.offset, params.offset + params.limit);
    const progress = new Map((await this.sources.listWriteBacks(caller.org.id)).map((row) => [row.id, row]));
    const sources = shown.map((row) => toSourceDto(row, this.secrets.open(row), progress.get(row.id) ?? null));
    return { sources, ...pageOf(params, found.length) };
  }

  /** @throws SourceNotFoundError */
  async get(caller: KnownCaller, id: number): Promise<SourceAnswerDto> {
    return { source: await this.present(await this.getRow(caller, id)) };
  }

  /** @throws SourceAddressNotAllowedError, SourceNameTakenError, SourceLimitReachedError */
  async create(caller: KnownCaller, params: CreateSourceParams): Promise<SourceChangedDto> {
    await this.addresses.requireAllowed(definitionOf(params, null).settings);
    const source = await this.transactions.run((tx) => this.createIn(caller, params, tx));
    return { source: await this.present(source), message: 'OK' };
  }

  /**
   * The same within a transaction; the address must have been checked. @throws SourceNameTakenError,
   * SourceLimitReachedError
   */
  async createIn(caller: KnownCaller, params: CreateSourceParams, tx: Tx): Promise<SourceEntity> {
    const orgId = caller.org.id;
    await this.orgs.lock(orgId, tx);
    const { settings, secrets } = definitionOf(params, null);
    await this.requireFreeName(orgId, settings.name, null, tx);
    if ((await this.sources.count(orgId, tx)) >= MAX_PER_ORG) throw new SourceLimitReachedError(MAX_PER_ORG);
    const now = this.now();
    const inserted = await this.sources.insert(
      {
        ...settings,
        orgId,
        secretsSealed: this.secrets.sealedOf(orgId, secrets),
        watermark: null,
        isBackfilling: settings.backfillSeconds > 0,
        chunkIntervals: FIRST_INTERVALS,
        seriesCount: null,
        pointsPerInterval: null,
        failures: 0,
        lastError: null,
        lastSuccessAt: null,
        nextReadAt: now,
        tries: 0,
        createdBy: caller.kind === 'user' ? caller.userId : null,
        createdAt: now,
        deletedAt: null,
      },
      tx,
    );
    if (inserted.writeBack) await this.sources.beginWriteBack(orgId, inserted.id, { isElsewhere: true, now }, tx);
    await this.acts.record(caller, null, inserted, tx);
    return inserted;
  }

  /**
   * Changes only the given members. @throws SourceNotFoundError, SourceAddressNotAllowedError, SourceNameTakenError,
   * ValidationFailedError
   */
  async update(caller: KnownCaller, id: number, params: UpdateSourceParams): Promise<SourceUpdatedDto> {
    const before = await this.getRow(caller, id);
    if (params.url !== undefined || params.type !== undefined) {
      requireSound(before, params);
      await this.addresses.requireAllowed(definitionOf(params, this.knownOf(before)).settings);
    }
    const { source, details } = await this.transactions.run((tx) => this.updateIn(caller, id, params, tx));
    return { source: await this.present(source), message: 'OK', details };
  }

  /**
   * The same within a transaction; the address must have been checked. @throws SourceNotFoundError,
   * SourceNameTakenError, ValidationFailedError
   */
  async updateIn(caller: KnownCaller, id: number, params: UpdateSourceParams, tx: Tx): Promise<ChangedSource> {
    const orgId = caller.org.id;
    await this.orgs.lock(orgId, tx);
    const before = await this.getRow(caller, id, tx);
    requireSound(before, params);
    const { settings, secrets, details } = definitionOf(params, this.knownOf(before));
    await this.requireFreeName(orgId, settings.name, id, tx);
    // An unchanged secret keeps its stored form.
    const changed = { ...settings, secretsSealed: this.secrets.sealedOf(orgId, secrets) };
    const after = Object.assign(new SourceEntity(), before, changed);
    if (!this.acts.isChange(before, after)) return { source: before, details };
    const now = this.now();
    const afresh = { failures: 0, lastError: null, nextReadAt: now, chunkIntervals: FIRST_INTERVALS };
    await this.sources.update(orgId, id, { ...changed, ...afresh }, tx);
    if (after.writeBack) {
      await this.sources.beginWriteBack(orgId, id, { isElsewhere: after.url !== before.url, now }, tx);
    } else {
      await this.sources.endWriteBack(orgId, id, tx);
    }
    await this.acts.record(caller, before, after, tx);
    return { source: Object.assign(after, afresh), details };
  }

  /** Reads stop; the metrics stay. @throws SourceNotFoundError */
  async delete(caller: KnownCaller, id: number): Promise<SourceChangedDto> {
    const source = await this.transactions.run(async (tx) => {
      const found = await this.sources.findEver(caller.org.id, id, tx);
      return found?.deletedAt ? found : this.deleteIn(caller, id, tx);
    });
    return { source: await this.present(source), message: 'OK' };
  }

  /** The same within a transaction. @throws SourceNotFoundError */
  async deleteIn(caller: KnownCaller, id: number, tx: Tx): Promise<SourceEntity> {
    const orgId = caller.org.id;
    await this.orgs.lock(orgId, tx);
    const found = await this.getRow(caller, id, tx);
    await this.acts.record(caller, found, null, tx);
    const gone = { deletedAt: this.now(), enabled: false, secretsSealed: null };
    await this.sources.update(orgId, id, gone, tx);
    await this.sources.endWriteBack(orgId, id, tx);
    return Object.assign(found, gone);
  }

  /** The stored settings, by name. */
  listRows(orgId: number, tx: Tx): Promise<SourceEntity[]> {
    return this.sources.listAll(orgId, tx);
  }

  /** @throws SourceNotFoundError */
  async getRow(caller: KnownCaller, id: number, tx?: Tx): Promise<SourceEntity> {
    const row = await this.sources.findById(caller.org.id, id, tx);
    if (!row) throw new SourceNotFoundError(id);
    return row;
  }

  /** The data that a change is compared with. */
  knownOf(row: SourceEntity): { settings: SourceEntity; secrets: Definition['secrets'] } {
    return { settings: row, secrets: this.secrets.open(row) };
  }

  private async requireFreeName(orgId: number, name: string, ownId: number | null, tx: Tx): Promise<void> {
    const other = await this.sources.findByName(orgId, name, tx);
    if (other !== null && other.id !== ownId) throw new SourceNameTakenError(name);
  }

  private async present(row: SourceEntity): Promise<SourceAnswerDto['source']> {
    const progress = row.writeBack ? await this.sources.findWriteBack(row.orgId, row.id) : null;
    return toSourceDto(row, this.secrets.open(row), progress);
  }

  private now(): Date {
    return new Date(this.clock.now() * 1000);
  }
}

/** @throws ValidationFailedError */
function requireSound(before: SourceEntity, params: UpdateSourceParams): void {
  const problems = sourceProblems({
    type: params.type ?? before.type,
    url: params.url ?? before.url,
    query: params.query ?? before.query,
    write_back: params.write_back ?? before.writeBack,
  });
  if (problems.length > 0) throw new ValidationFailedError(problems);
}

/** A source as answers show it: of secrets, only which ones are set. */
function toSourceDto(
  row: SourceEntity,
  { password, headers }: SourceSecrets,
  writeBack: SourceWriteBackEntity | null,
): SourceDto {
  return {
    id: row.id,
    ...fieldsOf(row),
    headers_set: Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN])),
    password_set: password !== '',
    state: stateOf(row),
    last_success_timestamp: row.lastSuccessAt === null ? null : Math.floor(row.lastSuccessAt.getTime() / 1000),
    last_error: row.lastError,
    series_count: row.seriesCount,
    points_per_interval: row.pointsPerInterval,
    watermark_timestamp: row.watermark,
    write_back_timestamp: writeBack?.watermark ?? null,
    write_back_error: writeBack?.lastError ?? null,
  };
}

function stateOf({ enabled, failures, isBackfilling }: SourceEntity): SourceState {
  if (!enabled) return 'disabled';
  if (failures > 0) return 'failing';
  return isBackfilling ? 'backfilling' : 'ok';
}
