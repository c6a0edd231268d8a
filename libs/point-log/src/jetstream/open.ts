import { type JetStreamPointLog, type JetStreamPointLogOptions } from './jetstream-point-log.js';

/** Like JetStreamPointLog.open. The NATS client is loaded only if it is used. */
export async function openJetStreamPointLog(options: JetStreamPointLogOptions): Promise<JetStreamPointLog> {
  const { JetStreamPointLog: adapter } = await import('./jetstream-point-log.js');
  return adapter.open(options);
}
