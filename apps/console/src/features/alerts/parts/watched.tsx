import { type Schema } from '../../../lib/api';
import { isolated } from '../../../lib/isolated';
import { words } from '../alerts.words';

/** The chips of a watcher, and how many metrics they select. */
export function Watched({ watcher }: { watcher: Schema<'WatcherDto'> }) {
  const isAll = watcher.chips.length === 1 && watcher.chips[0] === '*';
  return (
    <>
      {isAll ? words.everything : <span className="mono">{watcher.chips.map(isolated).join('  ')}</span>}{' '}
      <span className="dim">{words.metrics(watcher.metrics_count)}</span>
    </>
  );
}
