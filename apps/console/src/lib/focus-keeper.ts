/**
 * The former position of an element: its ancestors, the nearest first, each with the index of the child on the path.
 */
type Places = { parent: Element; index: number }[];

const FOCUSABLE =
  'a[href],button:not(:disabled),input:not(:disabled),textarea:not(:disabled),select:not(:disabled),[tabindex="0"]';

function placesOf(element: Element, root: Element): Places {
  const places: Places = [];
  for (let child = element; child !== root && child.parentElement !== null; child = child.parentElement) {
    places.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) });
  }
  return places;
}

function firstIn(element: Element | undefined): HTMLElement | undefined {
  if (!element) return undefined;
  const all = [...(element.matches(FOCUSABLE) ? [element] : []), ...element.querySelectorAll(FOCUSABLE)];
  return all.find((one): one is HTMLElement => one instanceof HTMLElement && one.getClientRects().length > 0);
}

/** The element that is now in that position, or the nearest one that can have the focus; not beyond `root`. */
function nearestTo(places: Places, root: Element): HTMLElement | undefined {
  for (const { parent, index } of places) {
    if (parent === root) return undefined;
    if (!parent.isConnected) continue;
    const found = firstIn(parent.children[index]) ?? firstIn(parent.children[index - 1]) ?? firstIn(parent);
    if (found) return found;
  }
  return undefined;
}

export interface FocusKeeper {
  /** Another page is about to be shown: its heading gets the focus next. */
  exitPage: () => void;
  /** Another page is shown; if no element has the focus, its heading gets it. */
  enterPage: () => void;
  stop: () => void;
}

/**
 * Keeps the focus on the page when the focused element disappears: a row that was judged, a panel that was closed, the
 * link of a previous page, a button that is disabled during an action. The focus moves to the replacement, to the
 * nearest element, or to the heading of the page. It never takes the focus from another element.
 */
export function keepFocus(page: HTMLElement): FocusKeeper {
  let last: Element | null = null;
  let places: Places = [];
  /** The same outside of dialogs, menus and messages, because these are temporary. */
  let inPage: { element: Element; places: Places } | null = null;
  let wantsHeading = false;

  const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body;
  const forget = (): void => {
    last = null;
    inPage = null;
    wantsHeading = false;
  };
  const onFocusIn = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    last = target;
    wantsHeading = false;
    places = page.contains(target) ? placesOf(target, page) : [];
    if (target.closest('#root')) inPage = { element: target, places };
  };
  const onFocusOut = (): void => {
    // Removed elements report the loss of the focus before they are removed.
    queueMicrotask(() => {
      if (isNowhere() && last?.isConnected && !last.matches(':disabled')) forget();
    });
  };
  const toHeading = (): void => {
    const heading = page.querySelector('h1');
    if (!heading) {
      wantsHeading = true;
      return;
    }
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  const restore = (): void => {
    if (!isNowhere()) return;
    if (wantsHeading) {
      toHeading();
      return;
    }
    if (last === null) return;
    if (last.isConnected) {
      if (!last.matches(':disabled')) (last as HTMLElement).focus({ preventScroll: true });
      // A button that is loading is enabled again when it has finished.
      else if (last.matches('[data-loading]')) return;
      else (nearestTo(places, page) ?? page.querySelector('h1'))?.focus({ preventScroll: true });
      return;
    }
    if (inPage?.element.isConnected && inPage.element !== last && inPage.element instanceof HTMLElement) {
      inPage.element.focus({ preventScroll: true });
      if (!isNowhere()) return;
    }
    const target = nearestTo(inPage?.places ?? places, page);
    if (target) target.focus({ preventScroll: true });
    else toHeading();
  };
  const observer = new MutationObserver(restore);
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'data-loading'],
  });
  document.addEventListener('focusin', onFocusIn);
  document.addEventListener('focusout', onFocusOut);
  return {
    exitPage: () => {
      places = [];
      if (inPage) inPage.places = [];
    },
    enterPage: () => {
      if (isNowhere()) toHeading();
    },
    stop: () => {
      observer.disconnect();
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('focusout', onFocusOut);
    },
  };
}
