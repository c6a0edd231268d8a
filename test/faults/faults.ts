import { Ledger } from '../support/ledger.js';
import { type Product, startProduct } from '../support/product.js';

/** `npm run test:faults -- --short` sets it: fewer repetitions, the same faults. */
export const IS_SHORT = process.env.PLUMBLINE_FAULTS === 'short';

/** One token may send and read all that a test needs. */
export const UNLIMITED = {
  PLUMBLINE_LIMIT_API: '1000000',
  PLUMBLINE_LIMIT_INGEST_REQUESTS: '10000000',
  PLUMBLINE_LIMIT_INGEST_POINTS: '1000000000',
};

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
    anomalies: await ledger.anomalyProblems(readToken),
    refusals: ledger.refusals,
    withoutRetryAfter: ledger.impolite,
  };
}

export const NOTHING_WRONG = { differences: [], anomalies: [], refusals: [], withoutRetryAfter: [] };
