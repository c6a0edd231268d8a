import { type Schema } from '../../../lib/api';
import { isolated } from '../../../lib/isolated';
import { texts } from '../alerts.texts';

/** The chips of a watcher, and how many metrics they select. */
export function Watched({ watcher }: { watcher: Schema<'WatcherDto'> }) {
  const isAll = watcher.chips.length === 1 && watcher.chips[0] === '*';
  return (
    <>
      {isAll ? texts.everything : <span className="mono">{watcher.chips.map(isolated).join('  ')}</span>}{' '}
      <span className="dim">{texts.metrics(watcher.metrics_count)}</span>
    </>
  );
}
