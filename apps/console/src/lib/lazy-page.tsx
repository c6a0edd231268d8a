import { type ComponentType, type JSX, use } from 'react';
import { ApiError } from './api';

/**
 * A page that is loaded when it is first opened. If its file cannot be loaded, an error is shown: otherwise the router
 * would reload the whole page, which without a network ends at the error page of the browser.
 */
export function lazyPage<Module extends object>(
  load: () => Promise<Module>,
  // Only the names are typed: the types of the pages depend on the routes, which depend on this result.
  name: keyof Module,
): (() => JSX.Element) & { preload: () => Promise<void> } {
  let Page: ComponentType | undefined;
  let failure: ApiError | undefined;
  let loading: Promise<void> | undefined;
  const preload = (): Promise<void> =>
    (loading ??= load().then(
      (module) => {
        Page = module[name] as ComponentType;
      },
      (error: unknown) => {
        failure = new ApiError(error instanceof Error ? error.message : String(error), 0, 'unreachable');
      },
    ));
  function LazyPage() {
    if (failure) throw failure;
    if (!Page) use(preload());
    return Page ? <Page /> : <></>;
  }
  return Object.assign(LazyPage, { preload });
}
