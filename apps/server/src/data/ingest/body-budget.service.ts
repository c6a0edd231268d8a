import { Injectable } from '@nestjs/common';
import { ByteBudget, type ByteShare } from '../../common/fair-share/byte-budget.js';
import { IngestConfig } from './ingest.config.js';
import { IngestBusyError } from './ingest.errors.js';

/** Share of the budget for bodies whose sender is not known yet (their token is inside the body). */
const UNAUTHENTICATED_SHARE = 0.25;

/** The memory of all ingest bodies that are received, decompressed and parsed, shared fairly by organisations. */
@Injectable()
export class BodyBudgetService extends ByteBudget {
  constructor(config: IngestConfig) {
    super({ limitBytes: config.maxHeldBytes, unauthenticatedShare: UNAUTHENTICATED_SHARE });
  }
}

/**
 * Reserves more memory for a body.
 * @throws IngestBusyError if the budget is used up; the memory reserved so far stays reserved
 */
export function reserve(share: ByteShare, bytes: number): void {
  if (!share.tryReserve(bytes)) throw new IngestBusyError('memory_full');
}
