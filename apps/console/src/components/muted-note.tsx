import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { keepView } from '../lib/keep-view';
import { useMayWrite } from '../lib/me';
import { useMute, useMutedUntil } from '../lib/muting';
import { texts } from './components.texts';
import { Time } from './times';

/** A line above every page while no alert is sent: a forgotten mute would be noticed too late. */
export function MutedNote() {
  const until = useMutedUntil();
  const mayWrite = useMayWrite();
  const mute = useMute();
  if (until === null) return null;
  return (
    <Group gap="xs" mb="sm" role="status" className="no-print">
      <Text size="sm">
        <strong>{texts.mutedUntil}</strong> <Time at={until} />.{' '}
        <Anchor component={Link} to="/alerts/recipients" search={keepView as never} size="sm">
          {texts.mutedWhy}
        </Anchor>
      </Text>
      {mayWrite && (
        <Button variant="default" size="compact-xs" loading={mute.isPending} onClick={() => mute.mutate(0)}>
          {texts.unmute}
        </Button>
      )}
    </Group>
  );
}
