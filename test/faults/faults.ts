import { Ledger } from '../support/ledger.js';
import { type Product, startProduct, until } from '../support/product.js';

/** `npm run test:faults -- --short` sets it: fewer repetitions, the same faults. */
export const IS_SHORT = process.env.PLUMBLINE_FAULTS === 'short';

/** One token may send and read all that a test needs. */
export const UNLIMITED = {
  PLUMBLINE_LIMIT_API: '1000000',
  PLUMBLINE_LIMIT_INGEST_REQUESTS: '10000000',
  PLUMBLINE_LIMIT_INGEST_POINTS: '1000000000',
};

/** Time in which a machine under load has judged all that was sent. */
const JUDGED_MS = 60_000;

export interface ProductUnderFault {
  product: Product;
  ingestToken: string;
  readToken: string;
  /** Starts senders that keep a ledger; `dispose` ends them. */
  send(plan: ConstructorParameters<typeof Ledger>[2]): Ledger;
  dispose(): Promise<void>;
}

export async function startUnderFault(env: Record<string, string> = {}): Promise<ProductUnderFault> {
  const product = await startProduct({ ...UNLIMITED, ...env });
  const ingestToken = await product.createToken(['ingest']);
  const ledgers: Ledger[] = [];
  return {
    product,
    ingestToken,
    readToken: await product.createToken(['read']),
    send(plan) {
      const ledger = new Ledger(product, ingestToken, plan).start();
      ledgers.push(ledger);
      return ledger;
    },
    async dispose() {
      await Promise.all(ledgers.map((ledger) => ledger.abandon()));
      await product.dispose();
    },
  };
}

/** Ends the senders and compares: what every fault must leave behind. All members are empty when nothing went wrong. */
export async function balance(ledger: Ledger, readToken: string) {
  await ledger.finish();
  return {
    differences: await ledger.differences(readToken),
    anomalies: await anomalyProblems(ledger, readToken),
    refusals: ledger.refusals,
    withoutRetryAfter: ledger.impolite,
  };
}

/** Points can be read before they are judged: what is not there yet may still come. */
async function anomalyProblems(ledger: Ledger, readToken: string): Promise<string[]> {
  let problems: string[] = [];
  const settled = async (): Promise<true | undefined> => {
    problems = await ledger.anomalyProblems(readToken);
    return problems.length === 0 ? true : undefined;
  };
  await until('every outburst to have its anomaly', settled, { timeoutMs: JUDGED_MS }).catch((error: unknown) => {
    if (problems.length === 0) throw error;
  });
  return problems;
}

export const NOTHING_WRONG = { differences: [], anomalies: [], refusals: [], withoutRetryAfter: [] };
