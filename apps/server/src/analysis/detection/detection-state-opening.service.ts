import { Injectable, Logger } from '@nestjs/common';
import { type JetStreamAddress, parseJetStreamUrl } from '#libs/jetstream';
import {
  BUCKET_IN_URL,
  openStateObjects,
  type StateObjects,
  StateObjectsUnavailableError,
  StateObjectsLostError,
} from '#libs/state-objects';
import { ServerConfig } from '../../common/config/server.config.js';
import { messageOf } from '../../common/errors/message-of.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { InstallationLayoutService } from '../../platform/storage/installation-layout.service.js';
import { untilItAnswers } from '../../common/until-it-answers.js';
import { DetectionCheckpointRepository } from './detection-checkpoint.repository.js';
import { DetectionConfig } from './detection.config.js';
import { DetectionStateError, StateElsewhereError } from './detection.errors.js';
import { type PageBytes } from './page-bytes.js';
import { PageBytesInObjects } from './page-bytes-in-objects.js';
import { PageBytesInRows } from './page-bytes-in-rows.js';

const PAGES_AT_ONCE = 4;
/** Processes that were not stopped would create new objects forever. */
const ROUNDS = 3;

/**
 * Opens the store of learnt state of DETECTION_STATE_URL, if the state of this installation is there or can be moved
 * there. Pages in the database move to objects when they are next saved; `move=postgresql` moves them back.
 */
@Injectable()
export class DetectionStateOpeningService {
  private readonly logger = new Logger('DetectionState');

  constructor(
    private readonly config: DetectionConfig,
    private readonly server: ServerConfig,
    private readonly checkpoints: DetectionCheckpointRepository,
    private readonly layout: InstallationLayoutService,
    private readonly readiness: ReadinessRegistry,
  ) {}

  /**
   * A process that does not detect needs no store, and opens none.
   * @throws DetectionStateError, JetStreamUnusableError
   */
  async open(): Promise<PageBytes> {
    const { stateUrl } = this.config;
    if (!this.server.roles.includes('detect')) return new PageBytesInRows();
    const hasObjects = await this.checkpoints.hasObjects();
    if (stateUrl === undefined) {
      if (hasObjects) throw new StateElsewhereError();
      return new PageBytesInRows();
    }
    const address = parseJetStreamUrl(stateUrl, BUCKET_IN_URL);
    if (address.movesToPostgres) {
      if (hasObjects) await this.moveToDatabase(address);
      return new PageBytesInRows();
    }
    const objects = await this.openObjects(address, !hasObjects || address.acceptsLoss);
    this.logger.log(`Learnt state is saved to ${objects.place}`);
    // Points are judged without the store: state that is not saved meanwhile is learnt again from the point log after a
    // restart.
    this.readiness.register('learnt state', () => objects.ping().catch(messageOf));
    return new PageBytesInObjects(objects, this.checkpoints, this.logger);
  }

  private async openObjects(address: JetStreamAddress, mayCreate: boolean): Promise<StateObjects> {
    const { partitions, id: ownerId } = await this.layout.get();
    const open = () => openStateObjects({ address, partitions, ownerId, mayCreate });
    const isUnavailable = (error: unknown) => error instanceof StateObjectsUnavailableError;
    try {
      return await untilItAnswers(open, isUnavailable, 'DETECTION_STATE_URL', this.logger);
    } catch (error) {
      if (!(error instanceof StateObjectsLostError)) throw error;
      throw new DetectionStateError(
        `${error.message}. What this installation has learnt is there. Correct DETECTION_STATE_URL, or bring the buckets ` +
          'back. If they are lost for good, start once with "accept_loss=true" in DETECTION_STATE_URL: the series then ' +
          'learn again from their stored points.',
      );
    }
  }

  /** Moves page by page; a process that saves a page meanwhile has priority. */
  private async moveToDatabase(address: JetStreamAddress): Promise<void> {
    const objects = await this.openObjects(address, address.acceptsLoss);
    try {
      const { partitions } = await this.layout.get();
      let moved = 0;
      for (let round = 0; round < ROUNDS && (await this.checkpoints.hasObjects()); round++) {
        for (let partition = 0; partition < partitions; partition++) moved += await this.movePages(objects, partition);
      }
      if (await this.checkpoints.hasObjects()) {
        throw new DetectionStateError(
          'Another process of this installation still saves learnt state in NATS JetStream. Stop all processes with the ' +
            'role detect (SIGTERM), then start one with "move=postgresql" in DETECTION_STATE_URL.',
        );
      }
      this.logger.log(
        `${String(moved)} pages of learnt state are in the database again: start without DETECTION_STATE_URL from now on`,
      );
    } finally {
      await objects.close();
    }
  }

  private async movePages(objects: StateObjects, partition: number): Promise<number> {
    let moved = 0;
    for (let last = -1; ;) {
      const rows = await this.checkpoints.pagesAfter(partition, last, PAGES_AT_ONCE);
      if (rows.length === 0) return moved;
      last = rows.at(-1)!.page;
      for (const { page, object, bytes } of rows) {
        if (object === null) continue;
        const found = await objects.get(partition, object);
        if (!found) this.logger.error(`${objects.place} has lost its object ${object}; its series learn again`);
        await this.checkpoints.moveToRow(partition, page, object, found ?? bytes);
        await objects.remove(partition, object);
        moved++;
      }
    }
  }
}
