import { Anchor, Box, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { ServerUnavailable } from '../components/server-unavailable';
import { type Hotkey, listenForHotkeys, useHotkeyList } from '../lib/hotkeys';
import { lastUndo } from '../lib/undo';
import { texts } from './shell.texts';
import { usePage } from './use-page';
import classes from './shell.module.css';

/** Skips the elements before the page; the first element that Tab reaches. */
export function SkipLink() {
  return (
    <Anchor href="#page" className={classes.skip}>
      {texts.skip}
    </Anchor>
  );
}

/** The page itself, with or without an account. `note` is the first line of every page. */
export function PageBox({ isStale, note }: { isStale: boolean; note?: ReactNode }) {
  const page = useRef<HTMLDivElement>(null);
  usePage(page);
  return (
    <Box component="main" id="page" tabIndex={-1} className={classes.page} data-stale={isStale || undefined} ref={page}>
      <ServerUnavailable />
      {note}
      <Outlet />
    </Box>
  );
}

/** Listens for the keys that work everywhere, with or without an account. */
export function useCommonHotkeys(): void {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  useEffect(() => listenForHotkeys(), []);
  const hotkeys = useMemo<Hotkey[]>(
    () => [
      {
        keys: 't',
        label: texts.theme,
        group: texts.groupEverywhere,
        run: () => setColorScheme(scheme === 'dark' ? 'light' : 'dark'),
      },
      { keys: 'z', label: texts.undoLast, group: texts.groupEverywhere, run: () => lastUndo.get()?.() },
    ],
    [scheme, setColorScheme],
  );
  useHotkeyList(hotkeys);
}
