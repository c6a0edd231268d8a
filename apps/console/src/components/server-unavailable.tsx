import { Alert, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { serverUnavailable } from '../lib/server-unavailable';
import { texts } from './components.texts';

/** True if something that the page shows has never been loaded. */
function useLacksData(): boolean {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  return useSyncExternalStore(subscribe, () =>
    cache.getAll().some((query) => query.isActive() && query.state.data === undefined),
  );
}

/**
 * A line above every page that is opened while no server answers: states why it is empty, and that it loads
 * automatically. Previously loaded data stays, and the strip of the page shows how old it is.
 */
export function ServerUnavailable() {
  const client = useQueryClient();
  const isUnavailable = serverUnavailable.use();
  const lacksData = useLacksData();
  if (!isUnavailable || !lacksData) return null;
  const retry = (): void =>
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.data === undefined });
  return (
    <Alert
      color="orange"
      variant="light"
      title={texts.away}
      role="status"
      mb="sm"
      className="no-print"
      styles={{ title: { color: 'var(--pl-text)' } }}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">{texts.awayText}</Text>
        <Button variant="default" onClick={retry}>
          {texts.awayRetry}
        </Button>
      </Group>
    </Alert>
  );
}
