import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode } from 'react';
import { Failed } from '../../../components/page-states';
import { texts } from '../setup.texts';

interface ConfirmDialogProps {
  title: string;
  /** The consequences. */
  children: ReactNode;
  label: string;
  isPending: boolean;
  /** The button for the action is disabled until something is filled in. */
  isDisabled?: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation of a change that cannot be undone; the button that cancels has the focus. */
export function ConfirmDialog({
  title,
  children,
  label,
  isPending,
  isDisabled = false,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="sm">
        <Text size="sm" component="div">
          {children}
        </Text>
        {error !== null && <Failed error={error} />}
        <Group gap="sm">
          <Button color="red.9" loading={isPending} disabled={isDisabled} onClick={onConfirm}>
            {label}
          </Button>
          <Button variant="default" data-autofocus onClick={onClose}>
            {texts.cancel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
