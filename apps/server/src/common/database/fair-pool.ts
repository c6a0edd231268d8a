import pg from 'pg';
import { type RequestQueue } from './request-queue.js';

type Connected = Parameters<pg.Pool['connect']>[0];

/**
 * The driver of TypeORM (its option `driver`) with a pool that gives connections to requests in rotation between
 * organisations, wherever the code needs one.
 */
export function fairDriver(turns: RequestQueue): typeof pg {
  class FairPool extends pg.Pool {
    override connect(): Promise<pg.PoolClient>;
    override connect(connected: Connected): void;
    override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
      const connecting = this.connectInTurn();
      if (!connected) return connecting;
      connecting.then(
        (client) => connected(undefined, client, client.release),
        (error: unknown) => connected(error as Error, undefined, () => undefined),
      );
      return undefined;
    }

    private async connectInTurn(): Promise<pg.PoolClient> {
      const releaseTurn = await turns.enter();
      try {
        const client = await super.connect();
        const release = client.release.bind(client);
        client.release = (reason) => {
          releaseTurn();
          release(reason);
        };
        return client;
      } catch (error) {
        releaseTurn();
        throw error;
      }
    }
  }
  return Object.create(pg, { Pool: { value: FairPool } }) as typeof pg;
}
