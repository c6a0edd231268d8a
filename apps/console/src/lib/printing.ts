import { flushSync } from 'react-dom';
import { signal } from './signal';

/** True while the page is printed: paper is white with every theme. */
export const printing = signal(false);

/** Follows the print events of the browser until the returned function is called. */
export function followPrinting(): () => void {
  const paper = window.matchMedia('print');
  // Synchronous, because the content at the end of the event is printed.
  const set = (isPrinting: boolean): void => flushSync(() => printing.set(isPrinting));
  const begin = (): void => set(true);
  const end = (): void => set(false);
  const follow = ({ matches }: { matches: boolean }): void => set(matches);
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  paper.addEventListener('change', follow);
  return () => {
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
    paper.removeEventListener('change', follow);
  };
}
