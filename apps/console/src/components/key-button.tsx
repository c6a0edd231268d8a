import { Button, Kbd, type ButtonProps } from '@mantine/core';
import { type ReactNode } from 'react';

/** A button that shows the key for the same action. */
export function KeyButton({
  hotkey,
  onClick,
  children,
  isPressed,
  ...rest
}: ButtonProps & { hotkey: string; onClick: () => void; children: ReactNode; isPressed?: boolean }) {
  return (
    <Button
      onClick={onClick}
      aria-pressed={isPressed}
      aria-keyshortcuts={hotkey}
      rightSection={<Kbd size="xs">{hotkey}</Kbd>}
      {...rest}
    >
      {children}
    </Button>
  );
}
