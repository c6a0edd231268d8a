import { MantineProvider } from '@mantine/core';
import { notificationsStore } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { useEffect } from 'react';
import { followPrinting, printing } from '../lib/printing';
import { createQueryClient } from '../lib/query-client';
import { useLoadedLater } from './loaded-later';
import { makeRouter, preloadPage } from './router';
import { cssVariables, theme } from './theme';

const queryClient = createQueryClient();
const router = makeRouter(queryClient);
preloadPage(router);
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// For the style sheet with which a dialog prevents the page behind it from scrolling.
setNonce(nonce);

followPrinting();

const loadNoticeBoard = () => import('./notices').then(({ NoticeBoard }) => NoticeBoard);

/** The first page shows no notification, so the board is loaded later, at the latest with the first notification. */
function Notices() {
  const [NoticeBoard, load] = useLoadedLater(loadNoticeBoard);
  useEffect(() => notificationsStore.subscribe(() => void load()), [load]);
  return NoticeBoard && <NoticeBoard />;
}

export function App() {
  const isPrinting = printing.use();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      forceColorScheme={isPrinting ? 'light' : undefined}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notices />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
