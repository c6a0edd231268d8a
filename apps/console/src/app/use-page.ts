import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';
import { keepFocus } from '../lib/focus-keeper';
import { texts } from './shell.texts';

/** Keeps the focus on the page when it changes, and sets the title of the tab to that of the page. */
export function usePage(page: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(() => {
    const element = page.current;
    if (!element) return;
    const keeper = keepFocus(element);
    const stops = [
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && keeper.exitPage()),
      router.subscribe('onResolved', ({ pathChanged }) => pathChanged && keeper.enterPage()),
    ];
    return () => {
      keeper.stop();
      for (const stop of stops) stop();
    };
  }, [page, router]);
  useEffect(() => {
    const element = page.current;
    if (!element) return;
    const name = (): void => {
      const heading = element.querySelector('h1')?.textContent;
      if (heading) document.title = texts.tab(heading);
    };
    const observer = new MutationObserver(name);
    observer.observe(element, { subtree: true, childList: true, characterData: true });
    name();
    return () => observer.disconnect();
  }, [page]);
}
