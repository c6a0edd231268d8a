import { parseDuration } from './durations.js';
import { parseError, type Token, type TokenKind, tokensOf } from './promql-lexer.js';
import {
  type FixedTime,
  type LabelMatcher,
  type MatchOperator,
  NAME_LABEL,
  type QueryExpression,
  type SelectorExpression,
} from './promql.types.js';
import { BadDataError, ExecutionError } from './prometheus.errors.js';

/** Maximum depth of nested parentheses and signs. */
const MAX_DEPTH = 100;
const MAX_MATCHERS = 50;

const MATCH_OPERATORS: readonly string[] = ['=', '!=', '=~', '!~'] satisfies MatchOperator[];
const COMPARISONS: readonly string[] = ['==', '!=', '<', '>', '<=', '>='];
const SET_OPERATORS: readonly string[] = ['and', 'or', 'unless', 'atan2'];
const AGGREGATIONS: ReadonlySet<string> = new Set([
  ...['sum', 'min', 'max', 'avg', 'group', 'stddev', 'stdvar', 'count', 'count_values'],
  ...['bottomk', 'topk', 'quantile', 'limitk', 'limit_ratio'],
]);

/**
 * Precedence of arithmetic operators; a higher one binds tighter. `^` is right-associative, and binds tighter than a
 * sign.
 */
const PRECEDENCE: Readonly<Record<string, number | undefined>> = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2, '^': 4 };
const SIGN_PRECEDENCE = 3;

const ARITHMETIC: Readonly<Record<string, ((left: number, right: number) => number) | undefined>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '^': (left, right) => left ** right,
};

const SUPPORTED =
  'Plumbline answers selectors (name, =, !=, =~, !~, [range], offset, @), and arithmetic with constants. ' +
  'It stores rates of counters and their expected range itself (plumbline_expected, plumbline_score, …); for other ' +
  'calculations let a Prometheus scrape /prometheus/federate, and query that.';

/** Parses a query. @throws BadDataError if it is invalid; ExecutionError if it is PromQL that is not supported here */
export function parseQuery(query: string): QueryExpression {
  return new QueryParser(query).parse();
}

/** Parses a selector, as in `match[]`. @throws BadDataError, also for other queries; ExecutionError */
export function parseSelector(text: string): readonly LabelMatcher[] {
  const expression = parseQuery(text);
  if (expression.kind !== 'selector' || expression.rangeSeconds !== null) {
    throw new BadDataError('match[] must be an instant selector, such as up{job="api"}');
  }
  if (expression.at !== null || expression.offsetSeconds !== 0) {
    throw new BadDataError('match[] takes neither offset nor @');
  }
  return expression.matchers;
}

class QueryParser {
  private readonly tokens: readonly Token[];
  private next = 0;
  private depth = 0;

  constructor(private readonly query: string) {
    this.tokens = tokensOf(query);
  }

  parse(): QueryExpression {
    if (this.peek().kind === 'end')
      throw new BadDataError('unknown position: parse error: no expression found in input');
    const expression = this.expression(0);
    if (this.peek().kind !== 'end') throw this.unexpected();
    return expression;
  }

  private expression(least: number): QueryExpression {
    let left = this.signed();
    for (;;) {
      const { text, kind } = this.peek();
      if ((kind === 'sign' && COMPARISONS.includes(text)) || (kind === 'word' && SET_OPERATORS.includes(text))) {
        throw unsupported(`the operator ${text}`);
      }
      const precedence = kind === 'sign' ? PRECEDENCE[text] : undefined;
      if (precedence === undefined || precedence < least) return left;
      this.next++;
      const right = this.nested(() => this.expression(text === '^' ? precedence : precedence + 1));
      if (left.kind !== 'scalar' || right.kind !== 'scalar') throw unsupported(`the operator ${text} on series`);
      left = { kind: 'scalar', value: ARITHMETIC[text]!(left.value, right.value) };
    }
  }

  private signed(): QueryExpression {
    const sign = this.takeSign('-') ?? this.takeSign('+');
    if (!sign) return this.modified(this.primary());
    const operand = this.nested(() => this.expression(SIGN_PRECEDENCE));
    if (operand.kind !== 'scalar') throw unsupported(`the sign ${sign.text} on series`);
    return { kind: 'scalar', value: sign.text === '-' ? -operand.value : operand.value };
  }

  private primary(): QueryExpression {
    const token = this.peek();
    if (token.kind === 'number') {
      this.next++;
      return { kind: 'scalar', value: Number(token.text) };
    }
    if (token.kind === 'string') {
      this.next++;
      return { kind: 'string', value: token.text };
    }
    if (this.takeSign('(')) {
      const inside = this.nested(() => this.expression(0));
      this.expectSign(')');
      return inside;
    }
    if (token.kind === 'word') return this.identifier(token);
    if (token.text === '{') return this.selector(null);
    throw this.unexpected();
  }

  private identifier(token: Token): QueryExpression {
    const after = this.tokens[this.next + 1]!;
    if (/^(inf|nan)$/i.test(token.text) && after.text !== '{') {
      this.next++;
      return { kind: 'scalar', value: token.text.toLowerCase() === 'inf' ? Infinity : Number.NaN };
    }
    const isGrouped = after.kind === 'word' && /^(by|without)$/i.test(after.text);
    if (AGGREGATIONS.has(token.text.toLowerCase()) && (after.text === '(' || isGrouped)) {
      throw unsupported(`the aggregation ${token.text}`);
    }
    this.next++;
    if (after.kind !== 'sign' || after.text !== '(') return this.selector(token.text);
    if (token.text !== 'vector') throw unsupported(`the function ${token.text}()`);
    this.expectSign('(');
    const inside = this.nested(() => this.expression(0));
    this.expectSign(')');
    if (inside.kind !== 'scalar') throw new BadDataError('expected type scalar in call to function "vector"');
    return { kind: 'vector', value: inside.value };
  }

  private selector(name: string | null): SelectorExpression {
    const matchers: LabelMatcher[] = name === null ? [] : [{ name: NAME_LABEL, operator: '=', value: name }];
    if (this.takeSign('{')) {
      while (!this.takeSign('}')) {
        matchers.push(this.matcher());
        if (matchers.length > MAX_MATCHERS) {
          throw new BadDataError(`a selector has at most ${String(MAX_MATCHERS)} matchers`);
        }
        if (!this.takeSign(',')) {
          this.expectSign('}');
          break;
        }
      }
    }
    const isNamedTwice = name !== null && matchers.filter((matcher) => matcher.name === NAME_LABEL).length > 1;
    if (isNamedTwice) throw new BadDataError(`metric name must not be set twice: ${JSON.stringify(name)}`);
    return { kind: 'selector', matchers, rangeSeconds: null, offsetSeconds: 0, at: null };
  }

  /** `job="api"`, or names with any characters in the form of Prometheus 3: `"a.b"`, `"host.name"="x"`. */
  private matcher(): LabelMatcher {
    const token = this.peek();
    if (token.kind !== 'word' && token.kind !== 'string') throw this.unexpected('in label matching');
    this.next++;
    const operator = this.peek();
    if (operator.kind !== 'sign' || !MATCH_OPERATORS.includes(operator.text)) {
      if (token.kind === 'string') return { name: NAME_LABEL, operator: '=', value: token.text };
      throw this.unexpected('in label matching, expected label matching operator');
    }
    this.next++;
    const { text: value } = this.expect('string', 'in label matching, expected string');
    return { name: token.text, operator: operator.text as MatchOperator, value };
  }

  /** The modifiers after a selector: `[5m]`, `offset 1h`, `@ 1760000000`. */
  private modified(expression: QueryExpression): QueryExpression {
    let found = expression;
    let hasOffset = false;
    for (;;) {
      const { kind, text } = this.peek();
      const isModifier = (kind === 'sign' && (text === '[' || text === '@')) || isKeyword(this.peek(), 'offset');
      if (!isModifier) return found;
      if (found.kind !== 'selector') {
        if (text === '[') throw unsupported('a subquery');
        throw this.unexpected();
      }
      this.next++;
      if (text === '[') {
        // A range must follow the selector itself.
        if (found.rangeSeconds !== null || hasOffset || found.at !== null) throw this.unexpected('after selector');
        found = { ...found, rangeSeconds: this.range() };
      } else if (text === '@') {
        if (found.at !== null) throw new BadDataError('@ <timestamp> may not be set multiple times');
        found = { ...found, at: this.fixedTime() };
      } else {
        if (hasOffset) throw new BadDataError('offset may not be set multiple times');
        hasOffset = true;
        const isNegative = this.takeSign('-') !== undefined;
        const seconds = this.duration('in offset');
        found = { ...found, offsetSeconds: isNegative ? -seconds : seconds };
      }
    }
  }

  private range(): number {
    const seconds = this.duration('in range, expected duration');
    if (this.takeSign(':')) throw unsupported('a subquery');
    this.expectSign(']');
    if (seconds === 0) throw new BadDataError('duration must be greater than 0');
    return seconds;
  }

  private fixedTime(): FixedTime {
    const token = this.peek();
    if (token.kind === 'word' && (token.text === 'start' || token.text === 'end')) {
      this.next++;
      this.expectSign('(');
      this.expectSign(')');
      return token.text;
    }
    const isNegative = this.takeSign('-') !== undefined;
    const seconds = Number(this.expect('number', 'in @, expected timestamp').text);
    return isNegative ? -seconds : seconds;
  }

  private duration(context: string): number {
    const token = this.peek();
    const seconds = token.kind === 'duration' || token.text === '0' ? parseDuration(token.text) : undefined;
    if (seconds === undefined) throw this.unexpected(context);
    this.next++;
    return seconds;
  }

  private peek(): Token {
    return this.tokens[this.next]!;
  }

  private takeSign(text: string): Token | undefined {
    const token = this.peek();
    if (token.kind !== 'sign' || token.text !== text) return undefined;
    this.next++;
    return token;
  }

  private expectSign(text: string): void {
    if (!this.takeSign(text)) throw this.unexpected(`expected "${text}"`);
  }

  private expect(kind: TokenKind, context: string): Token {
    const token = this.peek();
    if (token.kind !== kind) throw this.unexpected(context);
    this.next++;
    return token;
  }

  private nested<Result>(inside: () => Result): Result {
    if (++this.depth > MAX_DEPTH) {
      throw new BadDataError(`the query is nested deeper than ${String(MAX_DEPTH)} levels`);
    }
    const result = inside();
    this.depth--;
    return result;
  }

  private unexpected(context = ''): BadDataError {
    const { kind, text, at } = this.peek();
    const found = kind === 'end' ? 'end of input' : JSON.stringify(text.slice(0, 100));
    return parseError(this.query, at, `unexpected ${found}${context === '' ? '' : ` ${context}`}`);
  }
}

function isKeyword({ kind, text }: Token, keyword: string): boolean {
  return kind === 'word' && text.toLowerCase() === keyword;
}

function unsupported(what: string): ExecutionError {
  return new ExecutionError(`${what} is not supported. ${SUPPORTED}`);
}
