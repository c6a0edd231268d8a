import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isServerThere } from '../components/page-states';
import { serverUnavailable } from '../lib/server-unavailable';
import { PageBox, SkipLink, useCommonHotkeys } from './page-box';
import { texts } from './shell.texts';
import { ThemeButton } from './theme-button';
import classes from './shell.module.css';

const POLL_MS = 3000;

/** The frame of pages that are shown without an account. */
export function OpenFrame() {
  const isUnavailable = serverUnavailable.use();
  const href = useRouterState({ select: (state) => state.location.href });

  useCommonHotkeys();
  useServerPolling(isUnavailable);
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
        <PageBox isStale={isUnavailable} />
      </div>
      {isUnavailable && (
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
function useServerPolling(isUnavailable: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isUnavailable) return;
    const poll = async (): Promise<void> => {
      if (document.hidden || !(await isServerThere())) return;
      serverUnavailable.set(false);
      await client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => clearInterval(timer);
  }, [client, isUnavailable]);
}
