import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Transactions } from '../../common/database/transactions.js';
import { RateLimits } from '../../common/http/rate-limits.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { parseChips } from '../../data/chips/chips.js';
import { TEST_ALERTS } from '../channel/channel-limits.types.js';
import { type TestResultDto, type WatcherRestoredDto, type WatcherSavedDto } from './dto/watcher.dto.js';
import {
  type CreateThresholdWatcherParams,
  type CreateWatcherParams,
  type UpdateThresholdWatcherParams,
  type UpdateWatcherParams,
} from './dto/watcher.params.js';
import { TestAlertsService } from './test-alerts.service.js';
import { WatcherActsService } from './watcher-acts.service.js';
import { WatcherReaderService } from './watcher-reader.service.js';
import { type WantedFields, WatcherWriterService } from './watcher-writer.service.js';
import { type Watcher, type WatcherType } from './watcher.types.js';

type SavedParams =
  CreateThresholdWatcherParams | CreateWatcherParams | UpdateThresholdWatcherParams | UpdateWatcherParams;

/** Creates and changes watchers for people. */
@Injectable()
export class WatcherService {
  constructor(
    private readonly writer: WatcherWriterService,
    private readonly reader: WatcherReaderService,
    private readonly acts: WatcherActsService,
    private readonly tests: TestAlertsService,
    private readonly limits: RateLimits,
    private readonly transactions: Transactions,
  ) {}

  /** @throws ValidationFailedError, WatcherNameTakenError, WatcherLimitReachedError, RateLimitedError */
  create(caller: KnownCaller, judged: JudgedParams<CreateWatcherParams>): Promise<WatcherSavedDto> {
    return this.createOfType(caller, judged, 'anomaly');
  }

  /** @throws as create */
  createThreshold(caller: KnownCaller, judged: JudgedParams<CreateThresholdWatcherParams>): Promise<WatcherSavedDto> {
    return this.createOfType(caller, judged, 'threshold');
  }

  /** @throws WatcherNotFoundError, WatcherDeletedError, WatcherNameTakenError, ValidationFailedError, RateLimitedError */
  update(caller: KnownCaller, id: number, judged: JudgedParams<UpdateWatcherParams>): Promise<WatcherSavedDto> {
    return this.updateByCall(caller, id, judged, 'anomaly');
  }

  /** @throws NotAThresholdWatcherError, and as update */
  updateThreshold(
    caller: KnownCaller,
    id: number,
    judged: JudgedParams<UpdateThresholdWatcherParams>,
  ): Promise<WatcherSavedDto> {
    return this.updateByCall(caller, id, judged, 'threshold');
  }

  /** Deleting one again answers the same. @throws WatcherNotFoundError */
  async delete(caller: KnownCaller, id: number): Promise<WatcherRestoredDto> {
    return this.answer(caller, await this.transactions.run((tx) => this.writer.delete(caller, id, tx)));
  }

  /** @throws WatcherNotFoundError, RestoreExpiredError, WatcherNameTakenError, WatcherLimitReachedError */
  async restore(caller: KnownCaller, id: number): Promise<WatcherRestoredDto> {
    return this.answer(caller, await this.transactions.run((tx) => this.writer.restore(caller, id, tx)));
  }

  private async createOfType(
    caller: KnownCaller,
    judged: JudgedParams<SavedParams>,
    type: WatcherType,
  ): Promise<WatcherSavedDto> {
    const wanted = await this.wantedOf(caller, null, judged);
    const watcher = await this.transactions.run((tx) => this.writer.create(caller, type, wanted, tx));
    await this.acts.noteDone(caller, 'alert_created');
    return this.saved(caller, watcher, judged.sound.test_alert === true);
  }

  private async updateByCall(
    caller: KnownCaller,
    id: number,
    judged: JudgedParams<SavedParams>,
    type: WatcherType,
  ): Promise<WatcherSavedDto> {
    const wanted = await this.wantedOf(caller, id, judged);
    const watcher = await this.transactions.run((tx) => this.writer.update(caller, id, type, wanted, tx));
    return this.saved(caller, watcher, judged.sound.test_alert === true);
  }

  /** A test that is over the limit changes nothing. `id`: of the watcher that is to change. */
  private async wantedOf(
    caller: KnownCaller,
    id: number | null,
    judged: JudgedParams<SavedParams>,
  ): Promise<WantedFields> {
    if (judged.sound.test_alert === true) await this.limits.consume(TEST_ALERTS, String(caller.org.id));
    const outside = await this.writer.channelProblems(caller.org.id, id, judged.sound);
    return { fields: judged.sound, requireSound: (problems) => judged.requireSound([...problems, ...outside]) };
  }

  private async saved(caller: KnownCaller, watcher: Watcher, isTest: boolean): Promise<WatcherSavedDto> {
    let results: TestResultDto[] = [];
    if (isTest) {
      results = await this.tests.send(caller, watcher);
      if (results.some(({ ok }) => ok)) await this.acts.noteDone(caller, 'test_alert_sent');
    }
    const [record, metrics] = await Promise.all([
      this.reader.present(caller, watcher),
      this.reader.metricNames(caller.org.id, parseChips([...watcher.chips])),
    ]);
    return { watcher: record, metrics, metrics_count: record.metrics_count, test_results: results, message: 'OK' };
  }

  private async answer(caller: KnownCaller, watcher: Watcher): Promise<WatcherRestoredDto> {
    return { watcher: await this.reader.present(caller, watcher), message: 'OK' };
  }
}
