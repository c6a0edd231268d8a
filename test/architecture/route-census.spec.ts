import { accessName } from '../../apps/server/src/common/auth/access.decorators.js';
import { type Route } from '../../apps/server/src/common/http/route-table.js';
import { createPreviewApp, routesOf } from '../support/app.js';

describe('the routes of the server', () => {
  let routes: Route[];
  beforeAll(async () => {
    routes = routesOf(await createPreviewApp());
  });

  it('declare who may call them', () => {
    expect(routes.filter((route) => route.access === undefined).map((route) => route.name)).toEqual([]);
  });

  it('are declared once', () => {
    const keys = routes.map((route) => `${route.method} ${route.path.replace(/:\w+/g, ':')}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('need what they needed before', () => {
    const census = routes
      .map((route) => {
        const marks = [
          route.isSideEffect ? 'changes' : 'fetches',
          ...(route.successor === undefined ? [] : ['old form']),
        ];
        return `${route.method} ${route.path}: ${route.access ? accessName(route.access) : '?'}, ${marks.join(', ')}`;
      })
      .sort();
    expect(census).toMatchSnapshot();
  });

  it('have no decorator above @Fetch, which their POST form would miss', () => {
    const lost = routes
      .filter((route) => route.isPostTwin)
      .flatMap((twin) => {
        const original = routes.find((route) => `${route.name}ByPost` === twin.name);
        const keys = Reflect.getMetadataKeys(original?.handler ?? {}) as unknown[];
        const isMissing = (key: unknown) => !Reflect.hasMetadata(key, twin.handler);
        return keys.filter(isMissing).map((key) => `${twin.name} lacks ${String(key)}`);
      });
    expect(lost).toEqual([]);
  });
});
