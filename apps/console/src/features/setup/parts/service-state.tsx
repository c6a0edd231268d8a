import { type Schema } from '../../../lib/api';
import { texts } from '../integrations.texts';

/** Whether an integration works, in one or two words. */
export function ServiceState({ service }: { service: Schema<'ServiceDto'> }) {
  const { category, connected: isConnected, last_error: failure } = service;
  if (category === 'ingest')
    return isConnected ? <span>{texts.inUse}</span> : <span className="dim">{texts.notInUse}</span>;
  if (isConnected && failure !== null) return <strong>{texts.failing}</strong>;
  if (isConnected) return <span>{category === 'alert' ? texts.connected : texts.ready}</span>;
  return <span className="dim">{texts.notConnected}</span>;
}
