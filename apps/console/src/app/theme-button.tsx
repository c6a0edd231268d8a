import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { texts } from './shell.texts';
import { StrokeIcon } from './stroke-icon';

/** Switches between dark and light. */
export function ThemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  return (
    <Tooltip label={`${texts.theme} (t)`}>
      <ActionIcon
        variant="default"
        size={30}
        onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
        aria-label={texts.theme}
      >
        <StrokeIcon size={15}>
          <circle cx="8" cy="8" r="5.5" />
          <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />
        </StrokeIcon>
      </ActionIcon>
    </Tooltip>
  );
}
