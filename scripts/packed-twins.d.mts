export function writePackedTwins(
  folder: string,
  names: readonly string[],
  options: { brotliQuality: number },
): Promise<void>;
