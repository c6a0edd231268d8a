import jest from 'eslint-plugin-jest';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

/** process.env is read by the configuration classes only; everything else takes typed values. */
const envFence = {
  'no-restricted-properties': [
    'error',
    { object: 'process', property: 'env', message: 'Read settings through a *.config.ts class.' },
  ],
};

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.plumbline*/', 'apps/console/', 'coverage/'] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      // Nest modules are classes that carry only a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Typed-array reads are `number | undefined` under noUncheckedIndexedAccess; hot loops assert what their bounds prove.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/unbound-method': 'off',
      // Answers and entities are plain objects; their classes only carry the decorators that describe them.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/require-await': 'off',
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
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'no-restricted-properties': 'off',
    },
  },
  { files: ['**/*.config.ts', 'ormconfig.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    ...tseslint.configs.disableTypeChecked,
    rules: {
      ...tseslint.configs.disableTypeChecked.rules,
      'no-restricted-properties': 'off',
      '@typescript-eslint/no-require-imports': 'off',
    },
  },
  prettier,
);
