import { Notifications } from '@mantine/notifications';

/** Where notifications are shown; those that came before it was there, too. */
export function NoticeBoard() {
  return <Notifications position="bottom-right" limit={4} />;
}
