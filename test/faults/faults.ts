import { Ledger } from '../support/ledger.js';
import { type Product, startProduct } from '../support/product.js';

/** Set by `npm run test:faults -- --short`: fewer repetitions of the same faults. */
export const IS_SHORT = process.env.PLUMBLINE_FAULTS === 'short';

/** With these limits one token suffices for everything that a test sends and reads. */
export const UNLIMITED = {
  PLUMBLINE_LIMIT_API: '1000000',
  PLUMBLINE_LIMIT_INGEST_REQUESTS: '10000000',
  PLUMBLINE_LIMIT_INGEST_POINTS: '1000000000',
};

export interface ProductUnderFault {
  product: Product;
  ingestToken: string;
  readToken: string;
  /** Starts senders that keep a ledger; `dispose` stops them. */
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

/**
 * Stops the senders, and compares stored points with acknowledged ones. All members are empty unless something was
 * lost.
 */
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
