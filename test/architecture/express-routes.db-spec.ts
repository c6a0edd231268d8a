import { createTestApp, routesOf } from '../support/app.js';
import { type DatabaseApp } from '../support/database-app.js';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

const segmentsOf = (path: string) => path.split('/');

/** Whether an earlier pattern captures requests for a later one. */
function shadows(earlier: string, later: string): boolean {
  const [a, b] = [segmentsOf(earlier), segmentsOf(later)];
  return a.length === b.length && a.every((part, index) => part.startsWith(':') || part === b[index]);
}

describe('the routes that Express serves', () => {
  let server: DatabaseApp;
  let registered: { method: string; path: string }[];
  beforeAll(async () => {
    server = await createTestApp();
    const { stack } = server.app.getHttpAdapter().getInstance().router as unknown as { stack: Layer[] };
    // Nest ends paths outside its prefix with a 404 for all methods. Handlers are registered for one method each.
    registered = stack.flatMap(({ route }) => {
      const methods = Object.keys(route?.methods ?? {});
      return route && methods.length === 1 ? [{ method: methods[0]!.toUpperCase(), path: route.path }] : [];
    });
  });
  afterAll(() => server.close());

  it('match those that the controllers declare', () => {
    const keys = (routes: { method: string; path: string }[]) => routes.map(({ method, path }) => `${method} ${path}`);
    expect(keys(registered).sort()).toEqual(keys(routesOf(server.app)).sort());
  });

  it('never capture a static path as a parameter', () => {
    const shadowed = registered.flatMap((later, index) =>
      registered
        .slice(0, index)
        .filter((earlier) => earlier.method === later.method && shadows(earlier.path, later.path))
        .map((earlier) => `${later.method} ${later.path} behind ${earlier.path}`),
    );
    expect(shadowed).toEqual([]);
  });
});
