import { Anchor, Box } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useMantineColorScheme, useComputedColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { MutedNote } from '../components/muted-note';
import { ServerAway } from '../components/server-away';
import { listenForHotkeys, useHotkeyList, type Hotkey } from '../lib/hotkeys';
import { keepView } from '../lib/keep-view';
import { followStream } from '../lib/live/live';
import { lastUndo } from '../lib/undo';
import { PAGES, BottomBar, Rail } from './navigation';
import { words } from './shell.words';
import { StatusStrip, useIsStale } from './status-strip';
import { TopBar } from './top-bar';
import { usePage } from './use-page';
import classes from './shell.module.css';

const Palette = lazy(() => import('./palette'));
const HelpDialog = lazy(() => import('./help-dialog'));

/** A dialog that was opened stays, closed: it is loaded once, and gives the focus back to what had it. */
type DialogState = 'none' | 'open' | 'closed';

/** What stands around every page. */
export function Shell() {
  const [palette, setPalette] = useState<DialogState>('none');
  const [help, setHelp] = useState<DialogState>('none');
  const page = useRef<HTMLDivElement>(null);
  const isStale = useIsStale();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');

  useEffect(() => followStream(client), [client]);
  useEffect(() => listenForHotkeys(), []);
  usePage(page);
  useHotkeys([['mod+K', () => setPalette('open')]]);
  const hotkeys = useMemo<Hotkey[]>(
    () => [
      { keys: '/', label: words.search, group: words.groupEverywhere, run: () => setPalette('open') },
      { keys: '?', label: words.help, group: words.groupEverywhere, run: () => setHelp('open') },
      {
        keys: 't',
        label: words.theme,
        group: words.groupEverywhere,
        run: () => setColorScheme(scheme === 'dark' ? 'light' : 'dark'),
      },
      { keys: 'z', label: words.undoLast, group: words.groupEverywhere, run: () => lastUndo.get()?.() },
      ...PAGES.map(({ to, label, key }) => ({
        keys: `g ${key}`,
        label: words.goTo(label),
        group: words.groupEverywhere,
        run: () => void navigate({ to, search: keepView } as never),
      })),
    ],
    [navigate, scheme, setColorScheme],
  );
  useHotkeyList(hotkeys);

  return (
    <div className={classes.shell}>
      <Anchor href="#page" className={classes.skip}>
        {words.skip}
      </Anchor>
      <Rail onHelp={() => setHelp('open')} />
      <div className={classes.column}>
        <TopBar onSearch={() => setPalette('open')} />
        <Box
          component="main"
          id="page"
          tabIndex={-1}
          className={classes.page}
          data-stale={isStale || undefined}
          ref={page}
        >
          <ServerAway />
          <MutedNote />
          <Outlet />
        </Box>
      </div>
      <BottomBar />
      <StatusStrip />
      <Suspense>
        {palette !== 'none' && <Palette isOpen={palette === 'open'} onClose={() => setPalette('closed')} />}
        {help !== 'none' && <HelpDialog isOpen={help === 'open'} onClose={() => setHelp('closed')} />}
      </Suspense>
    </div>
  );
}
