import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRouterState, useSearch } from '@tanstack/react-router';
import { withTimes } from '../lib/fixed-link';
import { useWindow, type ViewSearch } from '../lib/window';
import { texts } from './shell.texts';
import { StrokeIcon } from './stroke-icon';

/** Copies the address with fixed times: a window that ends now would be a different one tomorrow. */
export function LinkButton() {
  const { w }: ViewSearch = useSearch({ strict: false });
  const window = useWindow();
  const hasOwnWindow = useRouterState({
    select: ({ matches }) => matches.some(({ staticData }) => staticData.hasOwnWindow === true),
  });
  const isMoving = window.lastSeconds !== null && !(hasOwnWindow && w === undefined);
  const copy = async (): Promise<void> => {
    const link = isMoving ? withTimes(location.href, window) : location.href;
    try {
      await navigator.clipboard.writeText(link);
      notifications.show({ message: texts.linkCopied });
    } catch {
      showLink(link);
    }
  };
  return (
    <Tooltip label={texts.copyLink}>
      <ActionIcon variant="default" size={30} onClick={() => void copy()} aria-label={texts.copyLink}>
        <StrokeIcon size={15}>
          <path d="M6.5 9.5l3-3M7 4.5 8.7 2.8a3 3 0 0 1 4.4 4.4L11.4 9M9 11.5l-1.7 1.7a3 3 0 0 1-4.4-4.4L4.6 7" />
        </StrokeIcon>
      </ActionIcon>
    </Tooltip>
  );
}

/** Shows the link, selected, for manual copying. */
function showLink(link: string): void {
  notifications.show({
    autoClose: false,
    title: texts.linkByHand,
    message: (
      <TextInput
        readOnly
        autoFocus
        aria-label={texts.link}
        value={link}
        onFocus={(event) => event.currentTarget.select()}
      />
    ),
  });
}
