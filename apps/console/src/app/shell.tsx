import { useHotkeys } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { MutedNote } from '../components/muted-note';
import { useHotkeyList, type Hotkey } from '../lib/hotkeys';
import { keepView } from '../lib/keep-view';
import { followStream } from '../lib/live/live';
import { PAGES, BottomBar, Rail } from './navigation';
import { PageBox, SkipLink, useCommonHotkeys } from './page-box';
import { texts } from './shell.texts';
import { StatusStrip, useIsStale } from './status-strip';
import { TopBar } from './top-bar';
import classes from './shell.module.css';

const Palette = lazy(() => import('./palette'));
const HelpDialog = lazy(() => import('./help-dialog'));

/**
 * A dialog that was opened stays mounted when it is closed: it is loaded once, and returns the focus to the element
 * that had it.
 */
type DialogState = 'none' | 'open' | 'closed';

/** The frame of every page. */
export function Shell() {
  const [palette, setPalette] = useState<DialogState>('none');
  const [help, setHelp] = useState<DialogState>('none');
  const isStale = useIsStale();
  const client = useQueryClient();
  const navigate = useNavigate();

  useEffect(() => followStream(client), [client]);
  useCommonHotkeys();
  useHotkeys([['mod+K', () => setPalette('open')]]);
  const hotkeys = useMemo<Hotkey[]>(
    () => [
      { keys: '/', label: texts.search, group: texts.groupEverywhere, run: () => setPalette('open') },
      { keys: '?', label: texts.help, group: texts.groupEverywhere, run: () => setHelp('open') },
      ...PAGES.map(({ to, label, key }) => ({
        keys: `g ${key}`,
        label: texts.goTo(label),
        group: texts.groupEverywhere,
        run: () => void navigate({ to, search: keepView } as never),
      })),
    ],
    [navigate],
  );
  useHotkeyList(hotkeys);

  return (
    <div className={classes.shell}>
      <SkipLink />
      <Rail onHelp={() => setHelp('open')} />
      <div className={classes.column}>
        <TopBar onSearch={() => setPalette('open')} />
        <PageBox isStale={isStale} note={<MutedNote />} />
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
