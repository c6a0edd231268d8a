import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { followPrinting, printing } from '../lib/printing';
import { createQueryClient } from '../lib/query-client';
import { makeRouter, preloadPage } from './router';
import { cssVariables, theme } from './theme';

const queryClient = createQueryClient();
const router = makeRouter(queryClient);
preloadPage(router);
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// The style sheet by which a dialog keeps the page behind it from scrolling.
setNonce(nonce);

followPrinting();

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
        <Notifications position="bottom-right" limit={4} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
