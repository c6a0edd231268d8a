import { Button, Text } from '@mantine/core';
import { type Schema } from '../../../lib/api';
import { useMayWrite } from '../../../lib/me';
import { useSetAlert } from '../api/watchers';
import { texts } from '../alerts.texts';

/** Shows whether a watcher sends, with a button to change it. */
export function PauseButton({ watcher }: { watcher: Schema<'WatcherDto'> }) {
  const mayWrite = useMayWrite();
  const { mutate, isPending } = useSetAlert();
  const { alert, name, deleted } = watcher;
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8 }}>
      <Text size="sm" span className={alert ? undefined : 'dim'}>
        {alert ? texts.isOn : texts.isPaused}
      </Text>
      {mayWrite && !deleted && (
        <Button
          variant="default"
          size="compact-xs"
          loading={isPending}
          aria-label={alert ? texts.pauseOf(name) : texts.resumeOf(name)}
          onClick={() => mutate({ watcher, alert: !alert })}
        >
          {alert ? texts.pause : texts.resume}
        </Button>
      )}
    </span>
  );
}
