import { lazy, Suspense } from 'react';
import { PageSkeleton } from '../components/page-states';
import { withoutAccount } from '../lib/session-state';
import { Shell } from './shell';

const OpenFrame = lazy(() => import('./open-frame'));

/** What stands around a page: that of an account, or the little that is left without one. */
export function Surroundings() {
  const isWithout = withoutAccount.use();
  if (!isWithout) return <Shell />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <OpenFrame />
    </Suspense>
  );
}
