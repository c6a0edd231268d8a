import jest from 'eslint-plugin-jest';
import reactHooks from 'eslint-plugin-react-hooks';
import prettier from 'eslint-config-prettier';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { plainWords, services } from './scripts/lint/names.mjs';

/** process.env is read by the configuration classes only; everything else takes typed values. */
const envFence = {
  'no-restricted-properties': [
    'error',
    { object: 'process', property: 'env', message: 'Read settings through a *.config.ts class.' },
  ],
};

// :has walks through everything below a node, so each selector asks for something cheap first.
const DECORATED = '[decorators.length>0]';
const decoratedBy = (names) => `${DECORATED}:has(> Decorator[expression.callee.name=/^(${names})$/])`;
const CALLER = 'CurrentCaller|CurrentUser|AnyCaller';
const PATH = '\\w*Param';
const ordered = "Order of a handler's arguments: caller, path (an id, a metric), @Params(), then the rest.";

/** A class with more has more than one job. */
const sevenCollaborators = {
  selector: 'MethodDefinition[kind="constructor"] > FunctionExpression[params.length>7]',
  message: 'A constructor takes at most seven collaborators: split the class by job.',
};

/** One custom for all handlers and services; test/architecture/customs.spec.ts proves each rule with an offence. */
export const customs = {
  'no-restricted-syntax': [
    'error',
    { selector: `FunctionExpression > ${decoratedBy(`${PATH}|Params`)} ~ ${decoratedBy(CALLER)}`, message: ordered },
    { selector: `FunctionExpression > ${decoratedBy('Params')} ~ ${decoratedBy(PATH)}`, message: ordered },
    {
      selector: `FunctionExpression > ${DECORATED}:not(${decoratedBy(`${CALLER}|${PATH}|Params`)}) ~ ${decoratedBy(`${CALLER}|${PATH}|Params`)}`,
      message: ordered,
    },
    {
      selector:
        ':function > :has(TSTypeAnnotation > TSTypeReference > Identifier[name=/^[A-Z].+Params$/]) ~ Identifier[name=/^(caller|user|org|orgId)$/]:not(:has(> Decorator))',
      message: 'The caller or the organisation comes before the parameters of the call.',
    },
    {
      selector: `FunctionExpression > ${decoratedBy('Params')} > TSTypeAnnotation > TSTypeReference > Identifier:not([name=/Params$/])`,
      message: 'A class of parameters is called …Params.',
    },
    {
      selector:
        'ImportDeclaration[source.value!=/[.-]params\\.js$/] > ImportSpecifier[imported.name=/^[A-Z].+Params$/]',
      message: 'A class of parameters stands in a file *.params.ts.',
    },
    {
      selector: "CallExpression[callee.name='ApiOperation'] Property[key.name='operationId']",
      message: 'Ids of operations come from method and path (views/doc/openapi.ts).',
    },
    sevenCollaborators,
  ],
};

/**
 * A pattern may see a text that a stranger wrote, so matching costs no more than the length of the text.
 * test/architecture/customs.spec.ts proves each rule with an offence.
 */
export const linearPatterns = {
  plugins: { regexp },
  rules: {
    'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
    'regexp/no-super-linear-move': ['error', { report: 'potential' }],
  },
};

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.plumbline*/', 'coverage/', 'libs/client/src/schema.ts'] },
  // Rules that need types are in .oxlintrc.json.
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  {
    // What a decorated constructor names is no mere type: Nest injects by it.
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      // Nest modules are classes that carry only a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // Typed-array reads are `number | undefined` under noUncheckedIndexedAccess; hot loops assert what their bounds prove.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-eval': 'error',
      ...envFence,
    },
  },
  {
    files: [
      '**/*.spec.ts',
      '**/*.db-spec.ts',
      '**/*.e2e-spec.ts',
      '**/*.service-spec.ts',
      'test/**/*.ts',
      '**/*.contract.ts',
    ],
    plugins: { jest },
    rules: {
      'jest/no-focused-tests': 'error',
      'jest/no-disabled-tests': 'error',
      'jest/no-identical-title': 'error',
      'jest/valid-expect': 'error',
      'no-restricted-properties': 'off',
    },
  },
  {
    files: ['apps/console/src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      'no-restricted-syntax': [
        'error',
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Names and labels are never HTML.' },
        {
          selector:
            'JSXOpeningElement[name.name=/^(div|span|p|Box|Flex|Group|Skeleton|Stack|Text)$/]:has(> JSXAttribute[name.name=/^aria-label/]):not(:has(> JSXAttribute[name.name=/^(role|component)$/]))',
          message: 'An element without a role has no name: screen readers may ignore its label.',
        },
        {
          selector: 'MemberExpression[property.name=/^(inner|outer)HTML$/]',
          message: 'Names and labels are never HTML.',
        },
      ],
    },
  },
  { files: ['apps/server/src/**/*.ts'], rules: customs },
  { files: ['apps/*/src/**/*.{ts,tsx}', 'libs/**/*.ts'], ignores: ['**/*spec.ts'], ...linearPatterns },
  { files: ['apps/*/src/**/*.{ts,tsx}', 'libs/*/src/**/*.ts', 'test/**/*.ts'], ...plainWords },
  { files: ['apps/server/src/**/*.service.ts'], ...services },
  { files: ['**/*.config.ts', 'ormconfig.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    rules: {
      'no-restricted-properties': 'off',
      '@typescript-eslint/no-require-imports': 'off',
    },
  },
  prettier,
);
