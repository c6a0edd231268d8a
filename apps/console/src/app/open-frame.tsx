import { Anchor, Box, Button } from '@mantine/core';
import { useMantineColorScheme, useComputedColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { isServerThere } from '../components/page-states';
import { ServerAway } from '../components/server-away';
import { listenForHotkeys, useHotkeyList, type Hotkey } from '../lib/hotkeys';
import { serverAway } from '../lib/server-away';
import { lastUndo } from '../lib/undo';
import { words } from './shell.words';
import { ThemeButton } from './top-bar';
import { usePage } from './use-page';
import classes from './shell.module.css';

const LOOK_AGAIN_MS = 3000;

/** What stands around the pages that are shown without an account. */
export default function OpenFrame() {
  const page = useRef<HTMLDivElement>(null);
  const isAway = serverAway.use();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const href = useRouterState({ select: (state) => state.location.href });

  useEffect(() => listenForHotkeys(), []);
  usePage(page);
  useLooking(isAway);
  const hotkeys = useMemo<Hotkey[]>(
    () => [
      {
        keys: 't',
        label: words.theme,
        group: words.groupEverywhere,
        run: () => setColorScheme(scheme === 'dark' ? 'light' : 'dark'),
      },
      { keys: 'z', label: words.undoLast, group: words.groupEverywhere, run: () => lastUndo.get()?.() },
    ],
    [scheme, setColorScheme],
  );
  useHotkeyList(hotkeys);

  return (
    <div className={classes.shell}>
      <Anchor href="#page" className={classes.skip}>
        {words.skip}
      </Anchor>
      <div className={classes.column}>
        <header className={classes.bar}>
          <Link to="/benchmark" className={classes.brand}>
            <img src="/favicon.svg" alt="" width="20" height="20" />
            {words.product}
          </Link>
          <div className={classes.spacer} data-always />
          <ThemeButton />
          <Button component={Link} to="/login" search={{ return_to: href } as never} variant="default">
            {words.signIn}
          </Button>
        </header>
        <Box
          component="main"
          id="page"
          tabIndex={-1}
          className={classes.page}
          data-stale={isAway || undefined}
          ref={page}
        >
          <ServerAway />
          <Outlet />
        </Box>
      </div>
      {isAway && (
        <div className={classes.strip} data-open role="status">
          {words.notReached}
        </div>
      )}
    </div>
  );
}

/** Without an event stream nothing else sees that the server is there again; what failed is loaded then. */
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
