/** Currencies whose amounts the provider counts in hundredths although they have no smaller unit. */
const COUNTED_IN_HUNDREDTHS = new Set(['ISK', 'UGX']);

/** `4900, 'EUR'` → `49.00 EUR`; `4900, 'JPY'` → `4900 JPY`. `amount` is in minor units, `currency` upper case. */
export function amountString(amount: number, currency: string): string {
  const digits = COUNTED_IN_HUNDREDTHS.has(currency) ? 2 : minorDigits(currency);
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`;
}

function minorDigits(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}
