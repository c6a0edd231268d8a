import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { sessionEnded, signedInHere } from '../../../lib/session-state';

/** Opens a page as the user who has just signed in: no data of a previous user is kept. */
export function useEnter(): (path: string) => void {
  const queryClient = useQueryClient();
  const router = useRouter();
  return (path) => {
    queryClient.clear();
    sessionEnded.set(false);
    signedInHere.set(true);
    router.history.push(path);
  };
}
