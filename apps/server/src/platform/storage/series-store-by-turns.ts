import { PostgresSeriesStore, type PostgresSeriesStoreOptions } from '#libs/series';
import { type Turns } from '../../common/fair-share/turns.js';
import { type TurnsRegistry } from '../../common/fair-share/turns-registry.js';
import { currentRequest, type RequestContext } from '../../common/http/request-context.js';

/** Reads for API requests that wait: of all organisations, and of one. */
const WAITING = 2000;
const WAITING_PER_ORG = 200;

/**
 * Reads for API requests take turns between organisations, and leave a connection to detection and the background, whose
 * reads do not wait. Each read has a turn of its own: a request may make many at once. Once one was let in, those after
 * it are not refused.
 */
export class SeriesStoreByTurns extends PostgresSeriesStore {
  private readonly turns: Turns;
  private readonly begun = new WeakSet<RequestContext>();

  constructor(options: PostgresSeriesStoreOptions & { maxConnections: number }, registry: TurnsRegistry) {
    super(options);
    const slots = Math.max(1, options.maxConnections - 1);
    const slotsPerParty = Math.ceil(slots / 2);
    this.turns = registry.open('series', { slots, slotsPerParty, waiting: WAITING, waitingPerParty: WAITING_PER_ORG });
  }

  override read(...query: Parameters<PostgresSeriesStore['read']>): ReturnType<PostgresSeriesStore['read']> {
    return this.inTurn(() => super.read(...query));
  }

  override readMany(
    ...queries: Parameters<PostgresSeriesStore['readMany']>
  ): ReturnType<PostgresSeriesStore['readMany']> {
    return this.inTurn(() => super.readMany(...queries));
  }

  override readRaw(...query: Parameters<PostgresSeriesStore['readRaw']>): ReturnType<PostgresSeriesStore['readRaw']> {
    return this.inTurn(() => super.readRaw(...query));
  }

  /** @throws OverloadedError too many reads wait; ClientGoneError */
  private async inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
    const context = currentRequest.getStore();
    if (context?.party === undefined) return read();
    const { party } = context;
    const isBegun = this.begun.has(context);
    const leave = await (isBegun ? this.turns.enterAgain(party) : this.turns.enter(party, context.gone));
    this.begun.add(context);
    try {
      return await read();
    } finally {
      // The points become an answer at once, which takes this thread.
      setImmediate(leave);
    }
  }
}
