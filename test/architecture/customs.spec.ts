import { resolve } from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';

const CONFIG = resolve(import.meta.dirname, '../../eslint.config.mjs');

const handler = (head: string): string => `class TeaController {\n  @Get()\n  brew(${head}): void {}\n}\n`;

const constructorOf = (count: number): string => {
  const collaborators = Array.from({ length: count }, (_, n) => `private readonly leaf${String(n)}: Leaf`);
  return `class TeaService {\n  constructor(${collaborators.join(', ')}) {}\n}\n`;
};

/** Code that breaks one custom each, and a part of the message. */
const OFFENCES: Record<string, [text: string, message: string]> = {
  'parameters before the caller': [
    handler('@Params() params: TeaParams, @CurrentCaller() caller: KnownCaller'),
    "Order of a handler's arguments",
  ],
  'destructured parameters before the user': [
    handler('@Params() { cups }: TeaParams, @CurrentUser() user: UserCaller'),
    "Order of a handler's arguments",
  ],
  'an id before the caller': [
    handler("@IdParam('tea_id') id: number, @CurrentCaller() caller: KnownCaller"),
    "Order of a handler's arguments",
  ],
  'parameters before an id': [
    handler("@Params() params: TeaParams, @IdParam('tea_id') id: number"),
    "Order of a handler's arguments",
  ],
  'the head of the answer before the parameters': [
    handler('@Answer() head: AnswerHead, @Params() params: TeaParams'),
    "Order of a handler's arguments",
  ],
  'a service that takes parameters before the caller': [
    'class TeaService {\n  brew(params: TeaParams, caller: KnownCaller): void {}\n}\n',
    'comes before the parameters',
  ],
  'a repository that takes parameters before the organisation': [
    'class TeaRepository {\n  findTeas(params: TeaParams, orgId: number): void {}\n}\n',
    'comes before the parameters',
  ],
  'parameters by another name': [handler('@Params() query: TeaQuery'), 'called …Params'],
  'parameters in a file of another kind': [
    "import { Order, TeaParams } from './dto/tea.dto.js';\n",
    'in a file *.params.ts',
  ],
  'an explicit operation id': [
    "class TeaController {\n  @ApiOperation({ summary: 'Brew tea', operationId: 'brew' })\n  brew(): void {}\n}\n",
    'come from method and path',
  ],
  'a constructor with eight collaborators': [constructorOf(8), 'at most seven collaborators'],
};

const KEPT = `
import { NoParams } from '../common/validation/no-params.js';
import { Params } from '../common/validation/params.decorator.js';
import { TeaParams } from './dto/tea.params.js';
class TeaController {
  @Get()
  @ApiOperation({ summary: 'Brew tea' })
  brew(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('tea_id') id: number,
    @Params() { cups }: TeaParams,
    @Answer() head: AnswerHead,
  ): void {}
  list(@AnyCaller() caller: Caller, @Params() _params: NoParams): void {}
  pour(orgId: number, params: TeaParams): void {}
}
`;

describe('the lint rules for handlers and services', () => {
  let complaints: (text: string) => string[];

  beforeAll(async () => {
    const { customs } = (await import(CONFIG)) as { customs: Linter.RulesRecord };
    const linter = new Linter();
    const config: Linter.Config = {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser },
      rules: customs,
    };
    complaints = (text) => linter.verify(text, config, 'tea.controller.ts').map(({ message }) => message);
  });

  it.each(Object.entries(OFFENCES))('reject %s', (_what, [text, message]) => {
    expect(complaints(text)).toEqual([expect.stringContaining(message)]);
  });

  it('accept the usual form', () => {
    expect(complaints(KEPT)).toEqual([]);
    expect(complaints(constructorOf(7))).toEqual([]);
  });
});

/** Each pattern takes more steps than the text is long, and has an equivalent with linear time. */
const PATTERNS: [slow: string, linear: string][] = [
  [String.raw`/^(?:\d+\.?\d*|\.\d+)$/`, String.raw`/^(?:\d+(?:\.\d*)?|\.\d+)$/`],
  [String.raw`/^(?:\w+\s?)*$/`, String.raw`/^(?:\w+(?:\s|$))*$/`],
  [String.raw`/\/+$/`, String.raw`/(?<!\/)\/+$/`],
];

describe('the lint rules for regular expressions', () => {
  let complaints: (text: string) => (string | null)[];

  beforeAll(async () => {
    const { linearPatterns } = (await import(CONFIG)) as { linearPatterns: Linter.Config };
    const linter = new Linter();
    complaints = (text) => linter.verify(text, linearPatterns, 'tea.js').map(({ ruleId }) => ruleId);
  });

  it.each(PATTERNS)('reject %s, but not %s', (slow, linear) => {
    expect(complaints(`tea.replace(${slow}, '');`)).toEqual([expect.stringContaining('no-super-linear')]);
    expect(complaints(`tea.replace(${linear}, '');`)).toEqual([]);
  });
});
