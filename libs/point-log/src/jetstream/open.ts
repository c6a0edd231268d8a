import { type JetStreamPointLog, type JetStreamPointLogOptions } from './jetstream-point-log.js';

/** As JetStreamPointLog.open. The client of NATS is loaded by those alone who use it. */
export async function openJetStreamPointLog(options: JetStreamPointLogOptions): Promise<JetStreamPointLog> {
  const { JetStreamPointLog: adapter } = await import('./jetstream-point-log.js');
  return adapter.open(options);
}
