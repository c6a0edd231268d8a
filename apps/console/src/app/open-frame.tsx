import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isServerThere } from '../components/page-states';
import { serverAway } from '../lib/server-away';
import { PageBox, SkipLink, useCommonHotkeys } from './page-box';
import { texts } from './shell.texts';
import { ThemeButton } from './theme-button';
import classes from './shell.module.css';

const LOOK_AGAIN_MS = 3000;

/** The frame of pages that are shown without an account. */
export function OpenFrame() {
  const isAway = serverAway.use();
  const href = useRouterState({ select: (state) => state.location.href });

  useCommonHotkeys();
  useLooking(isAway);
  return (
    <div className={classes.shell}>
      <SkipLink />
      <div className={classes.column}>
        <header className={classes.bar}>
          <Link to="/benchmark" className={classes.brand}>
            <img src="/favicon.svg" alt="" width="20" height="20" />
            {texts.product}
          </Link>
          <div className={classes.spacer} data-always />
          <ThemeButton />
          <Button component={Link} to="/login" search={{ return_to: href } as never} variant="default">
            {texts.signIn}
          </Button>
        </header>
        <PageBox isStale={isAway} />
      </div>
      {isAway && (
        <div className={classes.strip} data-open role="status">
          {texts.notReached}
        </div>
      )}
    </div>
  );
}

/**
 * Without an event stream, nothing else detects that the server is available again; then failed requests are repeated.
 */
function useLooking(isAway: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isAway) return;
    const look = async (): Promise<void> => {
      if (document.hidden || !(await isServerThere())) return;
      serverAway.set(false);
      await client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    };
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [client, isAway]);
}
