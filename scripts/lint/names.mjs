/**
 * Naming rules as ESLint rules. CONTRIBUTING.md ("Names") lists them; test/architecture/names.spec.ts tests each rule
 * with a violation.
 */
import { basename } from 'node:path';

/** Refused words in names, with their replacements. */
export const REFUSED_WORDS = {
  told: 'notified, reported or sent',
  untold: 'unreported',
  troubled: 'anomalous',
  spent: 'used, elapsed or budgeted',
  made: 'created, generated or derived',
  way: 'channel, destination, direction or link',
  ways: 'channels, destinations, directions or links',
  leave: 'release, detach, sign out or remove',
  leaving: 'expiring, detached, closing or removed',
  due: 'scheduled, pending, ready or expected',
  tell: 'notify, report, enqueue or flush',
  tells: 'notifies, reports or describes',
  telling: 'notifying, reporting or informative',
  heard: 'received, notified or delivered',
  unheard: 'undelivered',
  news: 'changes, a new message or unreported',
  doomed: 'deleted, marked for deletion or expired',
  hopeless: 'permanent or expired',
};

/** Names that are used outside the code: a schema of the API description, members of stored states of alert plans. */
const PUBLISHED = new Set(['AdminAlertWayDto', 'toldAt', 'toldSeverity', 'toldCount']);

const wordsOf = (name) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

const decoratorName = ({ expression }) => (expression.type === 'CallExpression' ? expression.callee : expression).name;

/** Identifiers that a pattern declares. */
function declaredIn(pattern) {
  if (pattern === null || pattern === undefined) return [];
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      // A shorthand property repeats the name of a member that is declared elsewhere.
      return pattern.properties.flatMap((one) =>
        one.type === 'RestElement' ? declaredIn(one.argument) : one.shorthand ? [] : declaredIn(one.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap(declaredIn);
    case 'AssignmentPattern':
      return declaredIn(pattern.left);
    case 'RestElement':
      return declaredIn(pattern.argument);
    case 'TSParameterProperty':
      return declaredIn(pattern.parameter);
    default:
      return [];
  }
}

const words = {
  meta: { type: 'suggestion', schema: [], messages: { refused: '`{{name}}`: say {{instead}} instead of "{{word}}".' } },
  create(context) {
    const check = (id) => {
      if (id?.type !== 'Identifier' && id?.type !== 'PrivateIdentifier') return;
      if (PUBLISHED.has(id.name)) return;
      const word = wordsOf(id.name).find((one) => Object.hasOwn(REFUSED_WORDS, one));
      if (word === undefined) return;
      context.report({
        node: id,
        messageId: 'refused',
        data: { name: id.name, word, instead: REFUSED_WORDS[word] },
      });
    };
    const checkFunction = (node) => {
      check(node.id);
      node.params.flatMap(declaredIn).forEach(check);
    };
    const checkMember = (node) => {
      if (!node.computed) check(node.key);
    };
    return {
      VariableDeclarator: (node) => declaredIn(node.id).forEach(check),
      FunctionDeclaration: checkFunction,
      FunctionExpression: checkFunction,
      ArrowFunctionExpression: checkFunction,
      ClassDeclaration: (node) => check(node.id),
      TSInterfaceDeclaration: (node) => check(node.id),
      TSTypeAliasDeclaration: (node) => check(node.id),
      MethodDefinition: checkMember,
      PropertyDefinition: checkMember,
      TSPropertySignature: checkMember,
      TSMethodSignature: checkMember,
    };
  },
};

/** `alert-outbox.service.ts` → `AlertOutboxService`. */
const classOfFile = (path) =>
  basename(path, '.ts')
    .split(/[-.]/)
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('');

const serviceClass = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      suffix: '`{{name}}`: an injectable of *.service.ts ends in Service.',
      file: '`{{name}}`: an injectable is named after its file: `{{wanted}}`, or rename the file.',
    },
  },
  create(context) {
    const injectables = [];
    return {
      ClassDeclaration(node) {
        if (node.id === null) return;
        if ((node.decorators ?? []).some((one) => decoratorName(one) === 'Injectable')) injectables.push(node.id);
      },
      'Program:exit'() {
        for (const id of injectables.filter(({ name }) => !name.endsWith('Service'))) {
          context.report({ node: id, messageId: 'suffix', data: { name: id.name } });
        }
        const wanted = classOfFile(context.filename);
        const [first] = injectables;
        if (first === undefined || injectables.some(({ name }) => name === wanted)) return;
        context.report({ node: first, messageId: 'file', data: { name: first.name, wanted } });
      },
    };
  },
};

export const names = { rules: { words, 'service-class': serviceClass } };

/** @param {string} rule */
const on = (rule) => ({ plugins: { names }, rules: { [`names/${rule}`]: 'error' } });

export const plainWords = on('words');
export const services = on('service-class');
