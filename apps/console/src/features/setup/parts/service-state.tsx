import { type Schema } from '../../../lib/api';
import { words } from '../integrations.words';

/** Whether an integration works, in a word or two. */
export function ServiceState({ service }: { service: Schema<'ServiceDto'> }) {
  const { category, connected: isConnected, last_error: failure } = service;
  if (category === 'ingest')
    return isConnected ? <span>{words.inUse}</span> : <span className="dim">{words.notInUse}</span>;
  if (isConnected && failure !== null) return <strong>{words.failing}</strong>;
  if (isConnected) return <span>{category === 'alert' ? words.connected : words.ready}</span>;
  return <span className="dim">{words.notConnected}</span>;
}
