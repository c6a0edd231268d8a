import { Injectable } from '@nestjs/common';
import { ByteBudget, type ByteShare } from '../../common/fair-share/byte-budget.js';
import { IngestConfig } from './ingest.config.js';
import { IngestBusyError } from './ingest.errors.js';

/** Part of the budget that may be held by bodies whose sender is not known yet (their token is inside the body). */
const STRANGERS_PART = 0.25;

/** The memory for all ingest bodies that are being received, decompressed and parsed, shared by organisations. */
@Injectable()
export class BodyBudgetService extends ByteBudget {
  constructor(config: IngestConfig) {
    super({ limitBytes: config.maxHeldBytes, strangersPart: STRANGERS_PART });
  }
}

/** Holds more for a body. @throws IngestBusyError the budget is used up; the held bytes stay held */
export function reserve(share: ByteShare, bytes: number): void {
  if (!share.tryTake(bytes)) throw new IngestBusyError('memory_full');
}
