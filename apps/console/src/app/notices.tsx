import { Notifications } from '@mantine/notifications';

/** Shows notifications, including those from before it was mounted. */
export function NoticeBoard() {
  return <Notifications position="bottom-right" limit={4} />;
}
