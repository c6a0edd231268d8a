import { type ComponentType, type JSX, use } from 'react';
import { ApiError } from './api';

/**
 * A page that is loaded when it is first opened. Where its file cannot be loaded it says so in its place: the router's own
 * way loads the whole page again, which without a network ends at the browser's page of errors.
 */
export function lazyPage<Module extends object>(
  load: () => Promise<Module>,
  // Of the names alone: what the pages return depends on the routes, which are made of what is returned here.
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
