/** Areas as folders, without specs: the lines of the map in docs/architecture.md. */
const SERVER = 'apps/server/src/';

module.exports = {
  forbidden: [
    {
      name: 'areas-form-no-circle',
      comment:
        'Areas import one another in one direction. What a lower one must cause above goes by its events, or by an interface that it owns and a higher one implements.',
      severity: 'error',
      scope: 'folder',
      from: { path: `^${SERVER}[^/]+/[^/]+$` },
      to: { circular: true },
    },
  ],
  options: {
    includeOnly: `^${SERVER}[^/]+/[^/]+/`,
    exclude: { path: [`^${SERVER}common/`, '\\.(spec|db-spec)\\.ts$'] },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
