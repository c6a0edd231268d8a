/** The lines of the house (docs/architecture.md). test/architecture/dependency-rules.spec.ts proves each rule with an offence. */
const TESTS = '\\.(spec|db-spec|e2e-spec|service-spec|contract|fixture)\\.ts$';

const SERVER = 'apps/server/src/';
/** From the lowest to the highest: each may import those before it. */
const NEIGHBOURHOODS = ['common', 'platform', 'people', 'data', 'analysis', 'teaching', 'alerting', 'views'];
const AREA = `^${SERVER}(?!common/)[^/]+/[^/]+/`;
const DETECTOR = 'libs/detection/src/series/';
/** Rooms of the detector of one series, from the lowest to the highest; the files beside them may import all. */
const ROOMS = ['record', 'points', 'season', 'expectation', 'judgement', 'learning', 'anomaly'];
/** The face of an area, dtos that stand beside its module included, and the vocabulary of metrics, which is no area. */
const OPEN_TO_ALL = [
  '\\.(module|service|decorator|events|types|functions|errors)\\.ts$',
  `${AREA}[^/]+\\.dto\\.ts$`,
  `^${SERVER}data/(chips|metric-ref)/`,
];

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
        path: '^libs/(baselines|detection|evaluation|patterns|protocols|charts|contracts|wording)/src/',
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
      comment:
        'Outside a lib only its index.ts may be imported, the faces of charts for browsers and for those that do not draw, and those that detection has for libs/evaluation.',
      severity: 'error',
      from: { path: '^(?:(?:apps|test|bench)|libs/([^/]+))/', pathNot: TESTS },
      to: {
        path: '^libs/[^/]+/',
        pathNot: [
          '^libs/$1/',
          '^libs/[^/]+/src/index\\.ts$',
          '^libs/detection/src/(scoring|testing/index)\\.ts$',
          '^libs/charts/src/(browser|model)\\.ts$',
        ],
      },
    },
    {
      name: 'evaluation-is-for-measuring',
      comment:
        'The image leaves libs/evaluation out: only `plumbline bench` uses it, and detection knows nothing of it.',
      severity: 'error',
      from: {
        path: '^(apps|libs|test)/',
        pathNot: ['^apps/cli/src/bench/', '^libs/evaluation/', '^libs/detection/src/testing/', TESTS],
      },
      to: { path: '^libs/(evaluation/|detection/src/(scoring\\.ts|testing/))' },
    },
    {
      name: 'sql-stays-in-persistence',
      comment:
        'TypeORM and pg are used by entities, repositories, migrations and common/database only. A source of the type sql reads the database of somebody else.',
      severity: 'error',
      from: {
        path: '^apps/server/src/',
        pathNot: [
          '\\.(entity|repository|module)\\.ts$',
          '/common/database/',
          '/data/source/sql/postgres-query\\.ts$',
          TESTS,
        ],
      },
      to: { path: 'node_modules/(typeorm|@nestjs/typeorm|pg)/' },
    },
    {
      name: 'loaded-when-needed',
      comment:
        'What few requests or installations use is loaded by import() when it is used, and pictures are drawn by a thread: each of these packages makes every start longer.',
      severity: 'error',
      from: {
        path: '^apps/server/src/',
        pathNot: ['/data/source/sql/mysql-query\\.ts$', '/views/image/(chart-worker|render-chart)\\.ts$', TESTS],
      },
      to: {
        path: [
          'node_modules/(@slack/web-api|echarts|mysql2|stripe)/',
          '^libs/charts/src/index\\.ts$',
          '/data/source/sql/mysql-query\\.ts$',
          '/views/image/render-chart\\.ts$',
        ],
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'areas-meet-at-their-face',
      comment:
        'Another area may import module, service, decorator, events, types, functions and errors of an area, and dtos that stand beside its module, nothing else. Where a statement joins tables of several areas, its repository (and the module that registers it) may import their entities.',
      severity: 'error',
      from: { path: `^${SERVER}([^/]+/[^/]+)/`, pathNot: [TESTS, '\\.(repository|module)\\.ts$'] },
      to: { path: AREA, pathNot: [`^${SERVER}$1/`, ...OPEN_TO_ALL] },
    },
    {
      name: 'entities-are-for-repositories',
      comment:
        'The exception of the rule above: a repository or module sees the face of another area and its entities.',
      severity: 'error',
      from: { path: `^${SERVER}([^/]+/[^/]+)/.*\\.(repository|module)\\.ts$` },
      to: { path: AREA, pathNot: [`^${SERVER}$1/`, '\\.entity\\.ts$', ...OPEN_TO_ALL] },
    },
    ...NEIGHBOURHOODS.slice(0, -1).map((name, index) => ({
      name: `${name}-knows-nothing-above`,
      comment:
        'Neighbourhoods import from left to right only: common, platform, people, data, analysis, teaching, alerting, views.',
      severity: 'error',
      from: { path: `^${SERVER}${name}/`, pathNot: TESTS },
      to: { path: `^${SERVER}(${NEIGHBOURHOODS.slice(index + 1).join('|')})/` },
    })),
    ...ROOMS.map((name, index) => ({
      name: `detector-${name}-knows-nothing-above`,
      comment: `The rooms of ${DETECTOR} import those before them only: ${ROOMS.join(', ')}.`,
      severity: 'error',
      from: { path: `^${DETECTOR}${name}/`, pathNot: TESTS },
      to: { path: `^${DETECTOR}(?:[^/]+\\.ts|(?:${ROOMS.slice(index + 1).join('|') || 'none'})/.*)$` },
    })),
    {
      name: 'console-talks-http',
      comment: 'The console knows the API by openapi.json, not by imports.',
      severity: 'error',
      from: { path: '^apps/console/' },
      to: { path: '^apps/(server|cli)/' },
    },
    {
      name: 'console-features-stand-alone',
      comment: 'What two features of the console need is in components/ or lib/, which know no feature.',
      severity: 'error',
      from: { path: '^apps/console/src/(?:features/([^/]+)|components|lib)/', pathNot: TESTS },
      to: { path: '^apps/console/src/features/', pathNot: '^apps/console/src/features/$1/' },
    },
    {
      name: 'no-dev-packages-in-product',
      comment:
        'What runs in production is a dependency, not a devDependency. The console, its client and the site of the documents are bundled by the build.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: [TESTS, '^apps/(console|docs)/', '^libs/client/'] },
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
