import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']);
const SOURCES = 'apps/console/src';

/** An API call in a source file, such as `GET /api/org/info`. */
export interface ConsoleCall {
  method: string;
  path: string;
  file: string;
}

/** API calls in the sources of the console. */
export async function consoleCalls(root: string): Promise<ConsoleCall[]> {
  const files = (await readdir(join(root, SOURCES), { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && !file.endsWith('spec.ts'),
  );
  const found = await Promise.all(
    files.map(async (file) => callsOf(file, await readFile(join(root, SOURCES, file), 'utf8'))),
  );
  return found.flat();
}

/**
 * Calls in one file: those of the typed client (`api.POST('/api/watcher', …)`), and addresses that the browser requests
 * itself: links, event streams and requests before the page has loaded. The latter are GETs.
 * @throws Error for a call of the client without a literal path, which could not be compared with the routes.
 */
export function callsOf(file: string, source: string): ConsoleCall[] {
  const calls: ConsoleCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isClientCall(node.expression)) {
      const [first, ...rest] = node.arguments;
      if (!first || !ts.isStringLiteral(first)) throw new Error(`${file}: a call of the API without a literal path`);
      calls.push({ method: node.expression.name.text, path: first.text, file });
      rest.forEach(visit);
      return;
    }
    const address = addressOf(node);
    if (address !== undefined) calls.push({ method: 'GET', path: address, file });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return calls;
}

function isClientCall(node: ts.Expression): node is ts.PropertyAccessExpression {
  return (
    ts.isPropertyAccessExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'api' &&
    METHODS.has(node.name.text)
  );
}

/** The literal path of a text that is an API address. */
function addressOf(node: ts.Node): string | undefined {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node)) return undefined;
  return /^\/api\/[^?#]+/.exec(node.text)?.[0];
}
