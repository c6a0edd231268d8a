import { type DataSource } from 'typeorm';
import { type RequestTurns } from './request-turns.js';

type Release = (error?: unknown) => void;
type Connected = (error: Error | undefined, client?: { release: Release }, release?: Release) => void;

/** The pool of the driver, by the one call that TypeORM makes of it. */
interface Pool {
  connect: (connected: Connected) => void;
}

/** Connections of the pool are handed out to requests by turns, however code comes to need one. */
export function takeConnectionsByTurns(dataSource: DataSource, turns: RequestTurns): void {
  const pool = (dataSource.driver as unknown as { master: Pool }).master;
  const connect = pool.connect.bind(pool);
  pool.connect = (connected) => {
    turns.enter().then(
      (leave) => {
        connect((error, client, release) => {
          if (error || !client || !release) {
            leave();
            connected(error);
            return;
          }
          // The pool's own queries release the client by its member, TypeORM by the function.
          client.release = (reason) => {
            release(reason);
            leave();
          };
          connected(undefined, client, client.release);
        });
      },
      (error: Error) => connected(error),
    );
  };
}
