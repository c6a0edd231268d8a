/** The lines of the house (docs/architecture.md). test/architecture/dependency-rules.spec.ts proves each rule with an offence. */
const TESTS = '\\.(spec|db-spec|e2e-spec|service-spec|contract)\\.ts$';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle means two things that should be one, or a shared part that should move down.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'libs-stay-pure',
      comment: 'Detection, protocols and charts run in the server, in workers, in the CLI and in browsers.',
      severity: 'error',
      from: {
        path: '^libs/(detection|protocols|charts|contracts)/src/',
        pathNot: [TESTS, '^libs/charts/src/png\\.ts$'],
      },
      to: {
        path: 'node_modules/(@nestjs|typeorm|pg|express|rxjs)/|^(node:)?(fs|fs/promises|net|http|https|child_process|worker_threads|process)$',
      },
    },
    {
      name: 'libs-do-not-know-apps',
      comment: 'Imports run one way: apps -> libs.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'libs-do-not-know-nest',
      comment: 'Storage adapters are used by worker threads and the CLI too; Nest stays in apps.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: 'node_modules/(@nestjs|typeorm|express)/' },
    },
    {
      name: 'libs-are-used-by-their-face',
      comment: 'Outside a lib only its index.ts may be imported.',
      severity: 'error',
      from: { path: '^(apps|test)/', pathNot: TESTS },
      to: { path: '^libs/[^/]+/', pathNot: '^libs/[^/]+/src/index\\.ts$' },
    },
    {
      name: 'sql-stays-in-persistence',
      comment: 'TypeORM and pg are used by entities, repositories, migrations and common/database only.',
      severity: 'error',
      from: {
        path: '^apps/server/src/',
        pathNot: ['\\.(entity|repository|module)\\.ts$', '/migrations/', '/common/database/', TESTS],
      },
      to: { path: 'node_modules/(typeorm|@nestjs/typeorm|pg)/' },
    },
    {
      name: 'areas-meet-at-their-face',
      comment: 'Another area may import module, service, decorator, events, types and errors of an area, nothing else.',
      severity: 'error',
      from: { path: '^apps/server/src/([^/]+)/', pathNot: TESTS },
      to: {
        path: '^apps/server/src/([^/]+)/',
        pathNot: [
          '^apps/server/src/$1/',
          '^apps/server/src/common/',
          '\\.(module|service|decorator|events|types|errors)\\.ts$',
        ],
      },
    },
    {
      name: 'common-knows-no-area',
      comment: 'common/ is the HTTP edge and plumbing: no business word in it.',
      severity: 'error',
      from: { path: '^apps/server/src/common/', pathNot: TESTS },
      to: { path: '^apps/server/src/(?!common/)' },
    },
    {
      name: 'console-talks-http',
      comment: 'The console knows the API by openapi.json, not by imports.',
      severity: 'error',
      from: { path: '^apps/console/' },
      to: { path: '^apps/(server|cli)/' },
    },
    {
      name: 'no-dev-packages-in-product',
      comment: 'What runs in production is a dependency, not a devDependency.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
