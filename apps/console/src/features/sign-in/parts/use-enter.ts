import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { sessionEnded, signedInHere } from '../../../lib/session-state';

/** Goes on to a page as the user who has just signed in: nothing that another one has seen is kept. */
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
