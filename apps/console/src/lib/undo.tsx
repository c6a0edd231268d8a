import { Button, Group, Kbd, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { signal } from './signal';

/** The last change that can be undone; `z` undoes it too. */
export const lastUndo = signal<(() => void) | null>(null);

const SHOWN_MS = 10_000;

/** Reports the action and offers to undo it, instead of asking for confirmation. */
export function offerUndo(done: string, undoLabel: string, undo: () => unknown): void {
  const id = `undo-${String(Date.now())}`;
  const act = (): void => {
    notifications.hide(id);
    lastUndo.set(null);
    void Promise.resolve(undo());
  };
  lastUndo.set(act);
  notifications.show({
    id,
    autoClose: SHOWN_MS,
    onClose: () => {
      if (lastUndo.get() === act) lastUndo.set(null);
    },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{done}</Text>
        <Button variant="subtle" onClick={act} aria-keyshortcuts="z" rightSection={<Kbd size="xs">z</Kbd>} flex="none">
          {undoLabel}
        </Button>
      </Group>
    ),
  });
}
