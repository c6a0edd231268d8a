import { once } from 'node:events';
import { createServer } from 'node:net';
import { type ServerConfig } from '../../../server/src/common/config/server.config.js';
import { CliError, ExitCode } from '../cli-error.js';
import { type Check, localOrigin, readyChecks } from '../status/running-product.js';
import { failed, type Finding, ok, warning } from './finding.js';

const TIMEOUT_MS = 5000;

export interface RunningProduct {
  isRunning: boolean;
  findings: Finding[];
}

/** Checks by the management port whether the product is running, and its reported state. */
export async function checkProduct({ managementHost, managementPort }: ServerConfig): Promise<RunningProduct> {
  const check = 'product';
  const port = 'management port';
  let checks: Check[];
  try {
    checks = await readyChecks(localOrigin(managementHost, managementPort));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (error.exitCode === ExitCode.BadInput) {
      return {
        isRunning: false,
        findings: [inUse(port, managementPort, 'MANAGEMENT_PORT')],
      };
    }
    return {
      isRunning: false,
      findings: [
        ok(check, 'is not running'),
        await freeFinding(port, managementHost, managementPort, 'MANAGEMENT_PORT'),
      ],
    };
  }
  const ill = checks.filter(({ ok: isOk }) => !isOk);
  const findings = ill.map(({ name, message }) =>
    failed(check, `${name}: ${message ?? 'does not work'}`, 'Check its log, and see docs/guide/runbook.md'),
  );
  if (ill.length === 0) findings.push(ok(check, 'is running and ready'));
  findings.push(ok(port, `${managementPort} is served by the product`));
  return { isRunning: true, findings };
}

/** Checks the port of the API, and the public address. */
export async function checkPorts({ host, port, publicUrl }: ServerConfig, isRunning: boolean): Promise<Finding[]> {
  const local = await answerOf(localOrigin(host, port));
  if (!isRunning) {
    const name = 'port';
    const own = local === 'nothing' ? await freeFinding(name, host, port, 'PORT') : inUse(name, port, 'PORT');
    return [own, ok('public address', `${publicUrl} is not asked while the product is stopped`)];
  }
  const findings = [
    local === 'product'
      ? ok('port', `${port} is served by the product`)
      : failed('port', `${port} is not served by the product`, 'Set PORT to the value of the running product'),
  ];
  const there = await answerOf(publicUrl);
  findings.push(publicFinding(publicUrl, there));
  return findings;
}

type Answer = 'product' | 'other' | 'nothing';

function publicFinding(publicUrl: string, answer: Answer): Finding {
  const check = 'public address';
  if (answer === 'product') return ok(check, `${publicUrl} leads to the product`);
  if (answer === 'other') {
    const advice = 'Correct PUBLIC_URL, or let the proxy forward all its paths to PORT';
    return failed(check, `${publicUrl} (PUBLIC_URL) leads to something else`, advice);
  }
  return warning(
    check,
    `${publicUrl} (PUBLIC_URL) cannot be reached from this machine`,
    'Correct PUBLIC_URL, DNS, or the proxy; links in alerts lead there. Ignore this if other machines can reach it',
  );
}

async function answerOf(origin: string): Promise<Answer> {
  try {
    const answer = await fetch(`${origin}/api/status`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    });
    const body = (await answer.json().catch(() => null)) as { status?: unknown; data?: unknown } | null;
    return body !== null && 'data' in body && 'status' in body ? 'product' : 'other';
  } catch {
    return 'nothing';
  }
}

function inUse(check: string, port: number, setting: string): Finding {
  const advice = `Stop that program, or set ${setting} to another port`;
  return failed(check, `${port} is used by another program`, advice);
}

/** Listens briefly. */
async function freeFinding(check: string, host: string | undefined, port: number, setting: string): Promise<Finding> {
  const server = createServer();
  try {
    server.listen(port, host ?? '::');
    await once(server, 'listening');
    return ok(check, `${port} is free`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') return inUse(check, port, setting);
    return failed(
      check,
      `${port} cannot be used: ${message}`,
      `Set ${setting} to another port, above 1023 for users other than root`,
    );
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}
